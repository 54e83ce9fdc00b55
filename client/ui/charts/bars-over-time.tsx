import styles from './bars-over-time.module.css'
import { grouped } from '#shared/text/counted.ts'

const width = 720
const height = 160

type Moment = {
  /** A day, or a month: 2026-11-20, 2026-11. */
  at: string
  /** How many of each series. */
  counts: readonly [number, number]
}

/**
 * Two counts by day or month as bars, with the same numbers as a table.
 * @param props `label` names the table; `series` are the names of the two counts, of which the first
 *   is in front of the second; where they are `stacked`, the second is added on top of it
 */
export function BarsOverTime({
  label,
  series,
  over,
  stacked = false,
}: {
  label: string
  series: readonly [string, string]
  over: readonly Moment[]
  stacked?: boolean
}) {
  const bars = over.map(({ at, counts: [front, second] }) => ({
    at,
    front,
    behind: stacked ? front + second : second,
  }))
  const top = ceiling(Math.max(1, ...bars.map(({ front, behind }) => Math.max(front, behind))))
  const step = width / bars.length
  const scaled = (count: number) => (count / top) * height
  return (
    <figure>
      <p aria-hidden="true" className={styles.top}>
        {grouped(top)}
      </p>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        className={styles.bars}
      >
        {[0.5, 1].map((part) => (
          <line key={part} x1="0" x2={width} y1={height * (1 - part)} y2={height * (1 - part)} />
        ))}
        {bars.map(({ at, front, behind }, index) => (
          <g key={at}>
            {[behind, front].map((count, each) => (
              <rect
                key={each}
                x={index * step}
                y={height - scaled(count)}
                width={Math.max(1, step - Math.min(6, step * 0.25))}
                height={scaled(count)}
              />
            ))}
          </g>
        ))}
      </svg>
      <div aria-hidden="true" className={styles.axis}>
        <span>{short(over[0]!.at)}</span>
        <span className={styles.legend}>
          <i /> {series[0]} <i /> {series[1]}
        </span>
        <span>{short(over.at(-1)!.at)}</span>
      </div>
      <figcaption>
        <details className={styles.table}>
          <summary>Show as table</summary>
          <Table label={label} series={series} over={over} />
        </details>
      </figcaption>
    </figure>
  )
}

const Table = ({
  label,
  series,
  over,
}: {
  label: string
  series: readonly string[]
  over: readonly Moment[]
}) => (
  // Without focus, the keyboard could not scroll it.
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
  <div className={styles.scroll} tabIndex={0} role="group" aria-label={label}>
    <table>
      <thead>
        <tr>
          {[isMonth(over[0]!.at) ? 'Month' : 'Day', ...series].map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {over.toReversed().map(({ at, counts }) => (
          <tr key={at}>
            <th scope="row">{at}</th>
            {counts.map((count, each) => (
              <td key={series[each]}>{grouped(count)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

/** The next round number above a count: 2, 5, 10, 20, 50 and so on. */
function ceiling(count: number): number {
  const power = 10 ** Math.floor(Math.log10(count))
  return [1, 2, 5, 10].map((each) => each * power).find((each) => each >= count) ?? count
}

const isMonth = (at: string): boolean => at.length === 7

/** 20 Nov, or Nov 2026 */
const short = (at: string): string =>
  new Intl.DateTimeFormat('en-GB', {
    ...(isMonth(at) ? { year: 'numeric' } : { day: 'numeric' }),
    month: 'short',
    timeZone: 'UTC',
  }).format(new Date(at))
