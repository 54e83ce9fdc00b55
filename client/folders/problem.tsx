import { useEffect } from 'react'
import type { FolderProblem } from '#shared/folders.ts'
import { heldBack } from '#shared/held-back.ts'
import { paths } from '#shared/paths.ts'
import { NotFoundScreen } from '../site/not-found-screen.tsx'
import button from '../ui/button.module.css'
import errors from '../site/route-error.module.css'

type Words = { title: string; text: string }

/** What is said about each problem; a folder that is not there looks like any missing page. */
const words: Record<Exclude<FolderProblem['why'], 'missing'>, Words> = {
  gone: {
    title: 'This folder is closed',
    text: 'Shared folders are open for a while and then close. We keep the files: ask us, and we open it again.',
  },
  file: {
    title: 'This file is not here',
    text: 'It may have been replaced or taken away since the link was made. The folder has what there is now.',
  },
  held: {
    title: 'This file is given on request',
    text: `${heldBack.one} Ask us for it.`,
  },
  selection: {
    title: 'This selection has run out',
    text: 'Links to a selection of files are valid for a day. Choose the files again, and you get a new one.',
  },
  scope: {
    title: 'Not with this code',
    text: 'Your secret code opens this folder to look at, but not to download from. Ask us for more.',
  },
  limit: {
    title: 'No downloads left',
    text: 'This folder could be downloaded a certain number of times, and that number is reached. Ask us for more.',
  },
  busy: {
    title: 'The pit lane is full',
    text: 'Many downloads are running right now. Please try again in a moment.',
  },
  preparing: {
    title: 'Getting your ZIP ready',
    text: 'The files are new, so they are checked once before they are sent. This page tries again by itself.',
  },
  'too-many': {
    title: 'One moment, please',
    text: 'There were too many tries from your connection. Wait a few minutes, then try again.',
  },
  'too-large': {
    title: 'That is too much at once',
    text: 'This selection is too large to be sent. Download everything, or choose fewer files.',
  },
  malformed: {
    title: 'Nothing was chosen',
    text: 'Mark some files first, then download the selection.',
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
              Back to the folder
            </a>
          )}
          <a
            href={paths.contact()}
            data-contact="A shared folder"
            className={closed ? button.button : `${button.button} ${button.quiet}`}
          >
            Contact us
          </a>
          {closed && (
            <a href={paths.home()} className={`${button.button} ${button.quiet}`}>
              Return to Home
            </a>
          )}
        </div>
      </div>
    </div>
  )
}
