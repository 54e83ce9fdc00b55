import { useLoaderData } from 'react-router'
import type { DeskGroup, DeskLine } from '#shared/desk/lines.ts'
import { paths } from '#shared/paths.ts'
import { withDotsBehind, withWholeMeasures } from '#shared/text/measures.ts'
import { Day } from '../ui/text/day.tsx'
import styles from './desk.module.css'
import { Desk } from './desk.tsx'
import { NewlyWaiting, useLiveCounts } from './live-counts.tsx'
import type { DeskData } from './loader.ts'

/** The desk (docs/contract.md, Desk): what waits today, one group of it, or what a search finds. */
export function Component() {
  const { session, isStaff, q, group: only, groups, lines } = useLoaderData<DeskData>()
  const counts = useLiveCounts(only === null ? groups : null)
  if (only !== null) {
    return (
      // Its title comes from the group, never from the address, which could say anything to staff.
      <Desk session={session} isStaff={isStaff} title={groups?.[0]?.title ?? 'Today'}>
        {groups?.map((group) => (
          <Waiting key={group.title} group={group} />
        ))}
        {groups?.length === 0 && <p className={styles.none}>Nothing is waiting here any more.</p>}
      </Desk>
    )
  }
  return (
    <Desk session={session} isStaff={isStaff} title={q ? `“${q}”` : 'Today'} q={q}>
      {lines && <Found lines={lines} />}
      {groups && <NewlyWaiting groups={groups} counts={counts} />}
      {groups?.map((group) => (
        <Group key={group.title} group={group} now={counts?.[group.title]} />
      ))}
      {groups?.length === 0 && <p className={styles.none}>Nothing is waiting.</p>}
    </Desk>
  )
}

type GroupProps = {
  group: DeskGroup
  /** The current count, once it has been asked for. */
  now: number | undefined
}

function Group({ group: { title, total, lines }, now = total }: GroupProps) {
  return (
    <section className={styles.group}>
      <h2>
        {title} <span>{now}</span>
      </h2>
      <Lines lines={lines} />
      {total > lines.length && (
        <p className={styles.all}>
          <a href={paths.deskGroup(title)} aria-label={`Show all ${total}: ${title}`}>
            Show all {total}
          </a>
        </p>
      )}
    </section>
  )
}

/** A group by itself, as long as a page can be. */
const Waiting = ({ group: { total, lines, command } }: { group: DeskGroup }) => (
  <>
    <Lines lines={lines} />
    {total > lines.length && (
      <p className={styles.more}>
        {total - lines.length} more
        {command && (
          <>
            : <code>{command}</code>
          </>
        )}
      </p>
    )}
  </>
)

const Found = ({ lines }: { lines: readonly DeskLine[] }) =>
  lines.length > 0 ? (
    <Lines lines={lines} />
  ) : (
    <p className={styles.none}>Nothing found. Try part of a name, email or reference.</p>
  )

/** Things, one below the other; each leads to its page. */
export const Lines = ({ lines }: { lines: readonly DeskLine[] }) => (
  <ul className={styles.lines}>
    {lines.map(({ label, title, detail, urgent, at, href }, index) => (
      <li key={`${index}-${title}`} data-urgent={urgent ? '' : undefined}>
        <span className={styles.kind}>{label}</span>
        <span className={styles.words}>
          {href ? (
            <a href={href} data-thing>
              {withWholeMeasures(title)}
            </a>
          ) : (
            <strong>{withWholeMeasures(title)}</strong>
          )}
          <span>{withDotsBehind(detail)}</span>
        </span>
        {at && <Day iso={at} />}
      </li>
    ))}
  </ul>
)
