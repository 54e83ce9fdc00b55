import { useId, useState, useSyncExternalStore } from 'react'
import { useRevalidator } from 'react-router'
import type { ShownLink } from '#shared/links.ts'
import { paths } from '#shared/paths.ts'
import { grouped } from '#shared/text/counted.ts'
import { Badge } from '../ui/badge.tsx'
import { Day } from '../ui/text/day.tsx'
import { LastDay } from '../ui/text/last-day.tsx'
import { CopyButton } from './copy-button.tsx'
import { LinkForm } from './link-form.tsx'
import styles from './link-row.module.css'
import { counted, stateNames, stateTones } from './states.ts'
import { Statistics } from './statistics.tsx'
import { forgetTypedLink, isLinkTyped } from './typed-link.ts'

type Props = { link: ShownLink; onDraw: (link: ShownLink) => void }

/** What opens below a link, one at a time. */
type Part = 'statistics' | 'edit'

/** A link with what can be done with it. */
export function LinkRow({ link, onDraw }: Props) {
  const { revalidate } = useRevalidator()
  const [chosen, choose] = useState<Part | 'nothing'>()
  const below = useId()
  const { code } = link
  // A change that was half typed when the session ended is there again.
  const isHalfTyped = useSyncExternalStore(
    () => () => {},
    () => isLinkTyped(code),
    () => false,
  )
  const open = chosen ?? (isHalfTyped ? 'edit' : 'nothing')
  const dropEdit = () => {
    forgetTypedLink(code)
    choose('nothing')
  }
  return (
    <li className={styles.row} data-state={link.state}>
      <Facts link={link} />
      <Tools
        link={link}
        onDraw={onDraw}
        open={open}
        onToggle={(part) => {
          if (open === 'edit' && part === 'edit') dropEdit()
          else choose(open === part ? 'nothing' : part)
        }}
        below={below}
      />
      <div id={below} className={styles.below}>
        {open === 'statistics' && <Statistics code={code} />}
        {open === 'edit' && (
          <LinkForm
            link={link}
            onSaved={() => {
              choose('nothing')
              void revalidate()
            }}
            onCancel={dropEdit}
          />
        )}
      </div>
    </li>
  )
}

/** Where a link leads, whether it works, and how often it was followed. */
function Facts({ link }: { link: ShownLink }) {
  const { code, host, target, note, tags, hasPassword, dead, state, clicks } = link
  return (
    <div className={styles.line}>
      <div className={styles.what}>
        <h3>
          <a href={`${paths.shortLink(code)}+`}>/l/{code}</a>
        </h3>
        <p className={styles.target}>
          <strong>{host}</strong>
          <span>{rest(target)}</span>
        </p>
        {note && <p className={styles.note}>{note}</p>}
        {tags.length > 0 && (
          <p className={styles.note}>
            <span className="unseen">Tags: </span>
            {tags.map((tag) => `#${tag}`).join('  ')}
          </p>
        )}
        {dead && <p className={styles.dead}>Target is dead: {dead}</p>}
      </div>
      <p className={styles.state}>
        <Badge tone={stateTones[state]}>{stateNames[state]}</Badge>
        {hasPassword && <small>with password</small>}
        <small>
          <Limits link={link} />
        </small>
      </p>
      <p className={styles.clicks}>
        <strong>{grouped(clicks.human)}</strong>
        {link.maxClicks !== null && <span> of {grouped(link.maxClicks)}</span>}
        <small>{clicks.bot > 0 ? `clicks, ${counted(clicks.bot, 'bot')}` : 'clicks'}</small>
        <Sparkline days={clicks.recent} />
      </p>
    </div>
  )
}

/** Clicks of the last days as a small chart. */
function Sparkline({ days }: { days: readonly number[] }) {
  const sum = days.reduce((all, each) => all + each, 0)
  const max = Math.max(1, ...days)
  return (
    <svg
      viewBox={`0 0 ${days.length * 4} 24`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${counted(sum, 'click')} in the last ${days.length} days`}
      className={styles.spark}
    >
      {days.map((count, index) => (
        <rect
          key={index}
          x={index * 4}
          y={24 - Math.max(1, (count / max) * 24)}
          width={3}
          height={Math.max(1, (count / max) * 24)}
          data-some={count > 0 || undefined}
        />
      ))}
    </svg>
  )
}

type ToolsProps = Props & {
  open: Part | 'nothing'
  onToggle: (part: Part) => void
  /** The id of the element in which the parts open. */
  below: string
}

function Tools({ link, onDraw, open, onToggle, below }: ToolsProps) {
  const { revalidate } = useRevalidator()
  const [problem, setProblem] = useState<string | null>(null)
  const { code, state } = link
  const path = `/l/${code}`

  async function change() {
    setProblem(null)
    const changed = await import('./save.ts').then(
      ({ switchLink }) => switchLink(code, state !== 'disabled'),
      () => ({ message: 'We can’t reach the server. Please try again.' }),
    )
    if ('message' in changed) setProblem(changed.message)
    else await revalidate()
  }

  return (
    <div className={styles.tools}>
      <CopyButton text={link.address} about={`the address of ${path}`} />
      <button type="button" onClick={() => onDraw(link)}>
        QR code<span className="unseen"> for {path}</span>
      </button>
      <button
        type="button"
        aria-expanded={open === 'statistics'}
        aria-controls={below}
        onClick={() => onToggle('statistics')}
      >
        Statistics<span className="unseen"> for {path}</span>
      </button>
      <button
        type="button"
        aria-expanded={open === 'edit'}
        aria-controls={below}
        onClick={() => onToggle('edit')}
      >
        Edit<span className="unseen"> {path}</span>
      </button>
      <button type="button" onClick={() => void change()}>
        {state === 'disabled' ? 'Enable' : 'Disable'}
        <span className="unseen"> {path}</span>
      </button>
      <p role="alert">{problem}</p>
    </div>
  )
}

function Limits({ link: { startsAt, expiresAt, createdAt, state } }: { link: ShownLink }) {
  if (state === 'scheduled' && startsAt) {
    return (
      <>
        from <Day iso={startsAt} />
      </>
    )
  }
  if (expiresAt) {
    return (
      <>
        until <LastDay end={expiresAt} />
      </>
    )
  }
  return (
    <>
      since <Day iso={createdAt} />
    </>
  )
}

/** A target without its host, as far as there is anything. */
function rest(target: string): string {
  const after = target.replace(/^https?:\/\/[^/?#]*/, '')
  return after === '/' ? '' : after
}
