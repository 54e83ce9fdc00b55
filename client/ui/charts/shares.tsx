import styles from './shares.module.css'
import { grouped } from '#shared/text/counted.ts'

/**
 * How often each of some things was counted, as bars, in the order given.
 * @param props `max` is the count whose bar is whole; `about` says for listeners what is counted
 */
export const Shares = ({
  rows,
  max,
  about,
}: {
  rows: readonly { name: string; href?: string | null; count: number }[]
  max: number
  about: string
}) => (
  <ol className={styles.shares}>
    {rows.map(({ name, href = null, count }) => (
      <li key={`${href} ${name}`}>
        {href === null ? <span>{name}</span> : <a href={href}>{name}</a>}
        <b>{grouped(count)}</b>
        <meter min={0} max={max} value={count} aria-label={`${name}: ${about}`} />
      </li>
    ))}
  </ol>
)
