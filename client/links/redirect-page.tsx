import { Fragment, useEffect } from 'react'
import { useLoaderData } from 'react-router'
import type { LinkView } from '#shared/links.ts'
import { paths } from '#shared/paths.ts'
import { Head } from '../site/head.tsx'
import error from '../site/route-error.module.css'
import button from '../ui/button.module.css'
import { ArrowIcon } from '../ui/icons.tsx'
import { Day } from '../ui/day.tsx'
import { Facts } from '../ui/facts.tsx'
import styles from './redirect-page.module.css'
import type { RedirectData } from './redirect-loader.ts'

/** How long the host is shown before a navigation goes on, in milliseconds. */
const pause = 1500

/**
 * The page of a short link: what a navigation inside the site passes through, the preview, and what
 * stands where a link leads nowhere (any more). Everybody else is redirected by the server.
 */
export function Component() {
  const { view, preview } = useLoaderData<RedirectData>()
  if (view.state === 'missing') return <Missing />
  if (view.state === 'gone') return <Gone />
  return preview ? <Preview link={view} /> : <Passing link={view} />
}

type Live = LinkView & { state: 'live' }

function Passing({ link: { code, host } }: { link: Live }) {
  useEffect(() => {
    // A page that the server sent stands here because the server would not redirect.
    const [first] = performance.getEntriesByType('navigation')
    if (first && new URL(first.name).pathname === location.pathname) return undefined
    const timer = setTimeout(() => location.replace(paths.shortLink(code)), pause)
    return () => clearTimeout(timer)
  }, [code])
  return (
    <div data-hero className={`night ${error.screen}`}>
      <Head title={`To ${host}`} description={`A short link to ${host}.`} hidden />
      <div className="wrap">
        <p className={`label kerb ${styles.label}`}>You are on your way to</p>
        <Host host={host} />
        <p role="status" className={error.explanation}>
          One moment, then this page is behind you.
        </p>
        <div className={error.ways}>
          <a href={paths.shortLink(code)} rel="nofollow" className={button.button}>
            Go now <ArrowIcon />
          </a>
        </div>
      </div>
    </div>
  )
}

function Preview({ link: { code, host, target, createdAt, expiresAt } }: { link: Live }) {
  return (
    <div data-hero className={`night ${error.screen}`}>
      <Head title={`/l/${code}`} description={`Where the short link ${code} leads.`} hidden />
      <div className="wrap">
        <p className={`label kerb ${styles.label}`}>/l/{code} leads to</p>
        <Host host={host} />
        <p className={styles.target}>{target}</p>
        <Facts
          look="figures"
          className={styles.facts}
          facts={[
            ['Made on', <Day key="made" iso={createdAt} />],
            ['Works until', expiresAt ? <Day key="end" iso={expiresAt} /> : 'further notice'],
          ]}
        />
        <div className={error.ways}>
          <a href={paths.shortLink(code)} rel="nofollow" className={button.button}>
            Go there <ArrowIcon />
          </a>
          <a href={paths.home()} className={`${button.button} ${button.quiet}`}>
            Rather not
          </a>
        </div>
      </div>
    </div>
  )
}

/** A host as a heading; it breaks after its dots. */
const Host = ({ host }: { host: string }) => (
  <h1 className={styles.host}>
    {host.split('.').map((part, index) => (
      <Fragment key={index}>
        {index > 0 && (
          <>
            .<wbr />
          </>
        )}
        {part}
      </Fragment>
    ))}
  </h1>
)

const Gone = () => (
  <div data-hero className={`night ${error.screen}`}>
    <title>410 Gone</title>
    <meta name="robots" content="noindex" />
    <div className="wrap">
      <h1>
        <span className={error.status}>410</span> This link has crossed the line
      </h1>
      <p className={error.explanation}>
        It worked for a while and does not lead anywhere any more. If you need what was behind it,
        ask us.
      </p>
      <div className={error.ways}>
        <a
          href={paths.contact()}
          data-contact="A short link that has ended"
          className={button.button}
        >
          Contact us
        </a>
        <a href={paths.home()} className={`${button.button} ${button.quiet}`}>
          Back to Home
        </a>
      </div>
    </div>
  </div>
)

const Missing = () => (
  <div data-hero className={`night ${error.screen}`}>
    <title>Page not found</title>
    <meta name="robots" content="noindex" />
    <div className="wrap">
      <h1>
        <span className={error.status}>404</span> Oops! Page not found
      </h1>
      <p className={error.explanation}>
        There is no such short link. Codes are easily misread: is one letter missing, or one too
        many?
      </p>
      <div className={error.ways}>
        <a href={paths.home()} className={button.button}>
          Return to Home
        </a>
        <a
          href={paths.contact()}
          data-contact="A short link that does not work"
          className={`${button.button} ${button.quiet}`}
        >
          Contact us
        </a>
      </div>
    </div>
  </div>
)
