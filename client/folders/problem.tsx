import { useEffect } from 'react'
import type { FolderProblem } from '#shared/folders/folders.ts'
import { withheldTexts } from '#shared/folders/withheld.ts'
import { paths } from '#shared/paths.ts'
import { useSignedIn } from '../clients/use-signed-in.ts'
import { NotFoundScreen } from '../site/errors/not-found-screen.tsx'
import button from '../ui/button.module.css'
import errors from '../site/errors/route-error.module.css'

type Words = { title: string; text: string }

/** What is said about each problem; a folder that is not there looks like any missing page. */
const words: Record<Exclude<FolderProblem['why'], 'missing'>, Words> = {
  gone: {
    title: 'This gallery is closed',
    text: 'Galleries close after a while. We still have the files; ask us to reopen it.',
  },
  file: {
    title: 'File not found',
    text: 'It may have been replaced or removed since the link was sent. The gallery has the current files.',
  },
  held: {
    title: 'Available on request',
    text: `${withheldTexts.one} Ask us for it.`,
  },
  selection: {
    title: 'This download link has expired',
    text: 'Download links work for a day. Select the files again to get a new one.',
  },
  scope: {
    title: 'No download access',
    text: 'Your code is view-only. Ask us if you need the files.',
  },
  originals: {
    title: 'No originals here',
    text: 'You can download web sizes in the gallery. Ask us if you need the originals.',
  },
  select: {
    title: 'No favourites with this code',
    text: 'Your code doesn’t include favourites and comments. Ask us if you need them.',
  },
  limit: {
    title: 'No downloads left',
    text: 'This gallery has reached its download limit. Ask us for more.',
  },
  busy: {
    title: 'Downloads are busy',
    text: 'Please try again in a moment.',
  },
  preparing: {
    title: 'Getting your ZIP ready',
    text: 'New files are checked once before the first download. This page retries by itself.',
  },
  'too-many': {
    title: 'One moment, please',
    text: 'Too many attempts from your connection. Wait a few minutes, then try again.',
  },
  'too-large': {
    title: 'Selection too large',
    text: 'Select fewer files, or download everything.',
  },
  malformed: {
    title: 'No files selected',
    text: 'Select some files first, then download.',
  },
}

/** Seconds until a ZIP that is being prepared is asked for again. */
const soon = 5

/** A folder, or something in it, that cannot be shown: why, and what to do about it. */
export function Problem({ problem: { id, why, status } }: { problem: FolderProblem }) {
  useEffect(() => {
    if (why !== 'preparing') return undefined
    const timer = setTimeout(() => location.reload(), soon * 1000)
    return () => clearTimeout(timer)
  }, [why])
  const user = useSignedIn()
  if (why === 'missing') return <NotFoundScreen />
  const { title, text } = words[why]
  const closed = why === 'gone'
  return (
    <div data-hero className={`night ${errors.screen}`}>
      <title>{title}</title>
      <meta name="robots" content="noindex" />
      {why === 'preparing' && (
        <noscript>
          <meta httpEquiv="refresh" content={String(soon)} />
        </noscript>
      )}
      <div className="wrap">
        <h1>
          <span className={errors.status}>{status}</span> {title}
        </h1>
        <p className={errors.explanation} role={why === 'preparing' ? 'status' : undefined}>
          {text}
        </p>
        <div className={errors.ways}>
          {!closed && why !== 'too-many' && (
            <a href={paths.folder(id)} className={button.button}>
              Back to the gallery
            </a>
          )}
          <a
            href={paths.contact()}
            data-contact="A gallery"
            className={closed ? button.button : `${button.button} ${button.quiet}`}
          >
            Contact us
          </a>
          {closed && (
            <a
              href={user ? paths.panel() : paths.home()}
              className={`${button.button} ${button.quiet}`}
            >
              {user ? 'Back to your panel' : 'Return to Home'}
            </a>
          )}
        </div>
      </div>
    </div>
  )
}
