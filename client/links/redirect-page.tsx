import { Fragment, useEffect } from 'react'
import { useLoaderData } from 'react-router'
import { maxLinkPasswordLength } from '#shared/link-rules.ts'
import type { LinkView } from '#shared/links.ts'
import { paths } from '#shared/paths.ts'
import { Field, fieldsOf } from '../forms/field.tsx'
import { post, useForm } from '../forms/use-form.ts'
import { Head } from '../site/head/head.tsx'
import error from '../site/errors/route-error.module.css'
import button from '../ui/button.module.css'
import { ArrowIcon } from '../ui/icons.tsx'
import { Day } from '../ui/text/day.tsx'
import { LastDay } from '../ui/text/last-day.tsx'
import { Facts } from '../ui/lists/facts.tsx'
import styles from './redirect-page.module.css'
import type { RedirectData } from './redirect-loader.ts'

/** How long the host is shown before a navigation goes on, in milliseconds. */
const pause = 1500

/**
 * The page of a short link: what a navigation inside the site passes through, the preview, and what
 * stands where a link leads nowhere (any more). Everyone else is redirected by the server.
 */
export function Component() {
  const { view, preview, wrong, search } = useLoaderData<RedirectData>()
  if (view.state === 'missing') return <Missing />
  if (view.state === 'gone') return <Gone />
  if (view.state === 'locked') return <Locked code={view.code} wrong={wrong} search={search} />
  return preview ? <Preview link={view} /> : <Passing link={view} />
}

type Live = Extract<LinkView, { state: 'live' }>

function Passing({ link: { code, host } }: { link: Live }) {
  useEffect(() => {
    // A page that the server sent is here because the server would not redirect.
    const [first] = performance.getEntriesByType('navigation')
    if (first && new URL(first.name).pathname === location.pathname) return undefined
    const timer = setTimeout(() => location.replace(paths.shortLink(code)), pause)
    return () => clearTimeout(timer)
  }, [code])
  return (
    <div data-hero className={`night ${error.screen}`}>
      <Head title={`To ${host}`} description={`A short link to ${host}.`} hidden />
      <div className="wrap">
        <p className={`label kerb ${styles.label}`}>Redirecting to</p>
        <Host host={host} />
        <p role="status" className={error.explanation}>
          You’ll be there in a moment.
        </p>
        <div className={error.ways}>
          <a href={paths.shortLink(code)} rel="nofollow" className={button.button}>
            {' '}
            Continue <ArrowIcon />
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
        <p className={`label kerb ${styles.label}`}>/l/{code} · Destination</p>
        <Host host={host} />
        <p className={styles.target}>{target}</p>
        <Facts
          look="figures"
          className={styles.facts}
          facts={[
            ['Created', <Day key="made" iso={createdAt} />],
            ['Expires', expiresAt ? <LastDay key="end" end={expiresAt} /> : 'No expiry'],
          ]}
        />
        <div className={error.ways}>
          <a href={paths.shortLink(code)} rel="nofollow" className={button.button}>
            {' '}
            Open link <ArrowIcon />
          </a>
          <a href={paths.home()} className={`${button.button} ${button.quiet}`}>
            {' '}
            Cancel{' '}
          </a>
        </div>
      </div>
    </div>
  )
}

/** Asks for the password; of the target it says nothing. */
function Locked({
  code,
  wrong,
  search,
}: { code: string } & Pick<RedirectData, 'wrong' | 'search'>) {
  const { errors, isSending, formProps } = useForm(
    async ({ password }, form) => {
      if (!password) return { password: 'Please enter the password' }
      post(form)
      return null
    },
    wrong ? { password: 'Wrong password. It’s case-sensitive; try again.' } : undefined,
  )
  return (
    <div data-hero className={`night ${error.screen}`}>
      <Head title={`/l/${code}`} description="A short link with a password." hidden />
      <div className="wrap">
        <p className={`label kerb ${styles.label}`}>/l/{code}</p>
        <h1>This link is private</h1>
        <p className={error.explanation}>Enter the password that came with it.</p>
        <form
          method="post"
          action={paths.shortLink(code) + search}
          className={styles.form}
          {...formProps}
        >
          <Field
            label="Password"
            {...fieldsOf('link', { entries: {}, errors })('password')}
            type="password"
            required
            maxLength={maxLinkPasswordLength}
            autoComplete="off"
            className={styles.password}
          />
          <button className={button.button} aria-disabled={isSending || undefined}>
            Open link <ArrowIcon />
          </button>
        </form>
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
        <span className={error.status}>410</span> This link has expired
      </h1>
      <p className={error.explanation}>Need what it pointed to? Contact us.</p>
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
        We don’t know this short link. Codes are easy to misread: is a letter missing?
      </p>
      <div className={error.ways}>
        <a href={paths.home()} className={button.button}>
          Return to Home
        </a>
        <a
          href={paths.contact()}
          data-contact="A short link that doesn’t work"
          className={`${button.button} ${button.quiet}`}
        >
          Contact us
        </a>
      </div>
    </div>
  </div>
)
