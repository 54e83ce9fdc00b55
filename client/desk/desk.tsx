import { Fragment, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import { officeTime } from '#shared/dates/helsinki-time.ts'
import { paths } from '#shared/paths.ts'
import { CodePrompt } from '../clients/code-prompt.tsx'
import { useSessionPage } from '../clients/use-session-page.ts'
import { resultPlace } from '../forms/result.ts'
import { Head } from '../site/head/head.tsx'
import button from '../ui/button.module.css'
import styles from './desk.module.css'
import { DeskKeys } from './keys.tsx'
import type { DeskData } from './loader.ts'

/** An entry of a thing's history, as the desk shows it; `at` in ISO 8601. */
type Change = { readonly at: string; readonly text: string }

type Props = Pick<DeskData, 'session' | 'isStaff'> & {
  /** Whether a link in an email opened the page, with the right to one thing and not to the desk. */
  isByLink?: boolean
  /** Where a right code leads; to the page itself where left out. */
  to?: string
  title: string | undefined
  /** A line above the title, such as a reference. */
  label?: string | null | undefined
  /** What was done to it last; the form that led back here, where one did. */
  last?: Change | undefined
  /** What was searched for. */
  q?: string
  /** Whether forms of the page lead back to its title. */
  isResult?: boolean
  children: ReactNode
}

/** The address of this page, without what a form for a code was answered. */
function useAskedAddress(): string {
  const { pathname, search } = useLocation()
  const query = new URLSearchParams(search)
  query.delete('problem')
  return query.size > 0 ? `${pathname}?${query}` : pathname
}

/** What every page of the desk has: the way to today, the search, and the field for a code. */
export function Desk({
  session,
  isStaff,
  title,
  label,
  last,
  q = '',
  isResult = false,
  isByLink = false,
  to,
  children,
}: Props) {
  useSessionPage(session.signedIn ? session : null)
  const asked = useAskedAddress()
  if (!isStaff && !isByLink) {
    return (
      <>
        <Head title="Desk" hidden />
        <CodePrompt
          title="Desk"
          lead={
            session.signedIn
              ? 'Your code doesn’t open the desk. Sign in with a staff code.'
              : 'Sign in with a staff code.'
          }
          to={to ?? asked}
        />
      </>
    )
  }
  return (
    <div className={`wrap ${styles.desk}`}>
      <Head title={tabTitle(label, title)} hidden />
      {isStaff && <Bar q={q} />}
      {label && <p className={styles.label}>{label}</p>}
      <h1 {...(isResult && resultPlace)} aria-describedby={last && lastChangeId}>
        {breakable(title)}
      </h1>
      {last && <LastChange {...last} />}
      {children}
      <DeskKeys />
    </div>
  )
}

const lastChangeId = 'last-change'

/** Beneath the title, which has the focus after a form: so it's seen and heard what the form did. */
function LastChange({ at, text }: Change) {
  const [, who, what] = /^([^:]*): (.*)$/s.exec(text) ?? ['', '', text]
  return (
    <p id={lastChangeId} className={styles.last}>
      Last change: {what}
      {who && `, by ${who}`}, <time dateTime={at}>{officeTime(Date.parse(at))}</time>
    </p>
  )
}

/** The way to today, and the search. */
const Bar = ({ q }: { q: string }) => (
  <div className={styles.bar}>
    <a href={paths.desk()} className={styles.home}>
      Today
    </a>
    <a href={paths.deskSessions()} className={styles.home}>
      Sessions
    </a>
    <a href={paths.deskStats()} className={styles.home}>
      Statistics
    </a>
    <form role="search" action={paths.desk()} className={styles.search}>
      <input
        name="q"
        type="search"
        defaultValue={q}
        maxLength={200}
        aria-label="Find people, tickets, bookings, orders"
        placeholder="Name, email, reference"
      />
      <button type="submit" className={`${button.button} ${button.small}`}>
        Find
      </button>
    </form>
  </div>
)

const wordJoiner = '\u2060'

/**
 * An address may break after its @, otherwise a phone cuts it at its last letter; the days of a range stay
 * in one line.
 */
const breakable = (title = '') =>
  title
    .replaceAll(/(?<=\d)–(?=\d)/g, `${wordJoiner}–${wordJoiner}`)
    .split(/(?<=\S@)(?=\S)/)
    .map((part, index) => (
      <Fragment key={part}>
        {index > 0 && <wbr />}
        {part}
      </Fragment>
    ))

/** What a tab and the Back button call a page: which thing it is, first. */
const tabTitle = (label: string | null | undefined, title = '') =>
  `${[label, title].filter(Boolean).join(': ')} — Desk`
