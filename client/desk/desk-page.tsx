import { useLoaderData } from 'react-router'
import type { DeskGroup, DeskLine } from '#shared/desk-lines.ts'
import { Day } from '../ui/text/day.tsx'
import styles from './desk.module.css'
import { Desk } from './desk.tsx'
import type { DeskData } from './loader.ts'

/** The desk (docs/contract.md, Desk): what waits today, what a search finds, or everything of a person. */
export function Component() {
  const { session, isStaff, q, email, groups, lines } = useLoaderData<DeskData>()
  const title = email || (q ? `“${q}”` : 'Today')
  return (
    <Desk session={session} isStaff={isStaff} title={title} q={q}>
      {lines && <Found lines={lines} isPerson={email !== ''} />}
      {groups?.map((group) => (
        <Group key={group.title} group={group} />
      ))}
      {groups?.length === 0 && <p className={styles.none}>Nothing is waiting.</p>}
    </Desk>
  )
}

function Group({ group: { title, total, lines, command } }: { group: DeskGroup }) {
  return (
    <section className={styles.group}>
      <h2>
        {title} <span>{total}</span>
      </h2>
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
    </section>
  )
}

const Found = ({ lines, isPerson }: { lines: readonly DeskLine[]; isPerson: boolean }) =>
  lines.length > 0 ? (
    <Lines lines={lines} />
  ) : (
    <p className={styles.none}>
      {isPerson
        ? 'Nothing on file for this address.'
        : 'Nothing found. Try part of a name, address or reference.'}
    </p>
  )

/** Things, one below the other; each leads to its page. */
export const Lines = ({ lines }: { lines: readonly DeskLine[] }) => (
  <ul className={styles.lines}>
    {lines.map(({ label, title, detail, urgent, at, href }, index) => (
      <li key={`${index}-${title}`} data-urgent={urgent ? '' : undefined}>
        <span className={styles.kind}>{label}</span>
        <span className={styles.words}>
          {href ? <a href={href}>{title}</a> : <strong>{title}</strong>}
          <span>{detail}</span>
        </span>
        {at && <Day iso={at} />}
      </li>
    ))}
  </ul>
)
