import type { SiteStatistics } from '#shared/statistics.ts'
import styles from './stats-page.module.css'

const width = 720
const height = 160

type Over = { over: SiteStatistics['over'] }

/** Views and visits by day or month as bars, one in front of the other, with the same numbers as a table. */
export function BarChart({ over }: Over) {
  const top = ceiling(Math.max(1, ...over.map(({ views, visits }) => Math.max(views, visits))))
  return (
    <figure>
      <p aria-hidden="true" className={styles.top}>
        {top.toLocaleString('en-GB')}
      </p>
      <Bars over={over} top={top} />
      <div aria-hidden="true" className={styles.axis}>
        <span>{short(over[0]!.at)}</span>
        <span className={styles.legend}>
          <i data-of="visits" /> Visits <i data-of="views" /> Page views
        </span>
        <span>{short(over.at(-1)!.at)}</span>
      </div>
      <figcaption>
        <details className={styles.table}>
          <summary>Show as table</summary>
          <OverTable over={over} />
        </details>
      </figcaption>
    </figure>
  )
}

function Bars({ over, top }: Over & { top: number }) {
  const step = width / over.length
  const bar = Math.max(1, step - Math.min(6, step * 0.25))
  const scaled = (count: number) => (count / top) * height
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      className={styles.bars}
    >
      {[0.5, 1].map((part) => (
        <line key={part} x1="0" x2={width} y1={height * (1 - part)} y2={height * (1 - part)} />
      ))}
      {over.map(({ at, views, visits }, index) => (
        <g key={at}>
          <rect
            className={styles.views}
            x={index * step}
            y={height - scaled(views)}
            width={bar}
            height={scaled(views)}
          />
          <rect
            className={styles.visits}
            x={index * step}
            y={height - scaled(visits)}
            width={bar}
            height={scaled(visits)}
          />
        </g>
      ))}
    </svg>
  )
}

const OverTable = ({ over }: Over) => (
  // Without focus, the keyboard could not scroll it.
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
  <div className={styles.scroll} tabIndex={0} role="group" aria-label="Visits over time">
    <table>
      <thead>
        <tr>
          <th scope="col">{over[0]!.at.length === 7 ? 'Month' : 'Day'}</th>
          <th scope="col">Visits</th>
          <th scope="col">Page views</th>
        </tr>
      </thead>
      <tbody>
        {over.toReversed().map(({ at, views, visits }) => (
          <tr key={at}>
            <th scope="row">{at}</th>
            <td>{visits.toLocaleString('en-GB')}</td>
            <td>{views.toLocaleString('en-GB')}</td>
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

/** 20 Nov, or Nov 2026 */
const short = (at: string) =>
  new Intl.DateTimeFormat('en-GB', {
    ...(at.length === 7 ? { year: 'numeric' } : { day: 'numeric' }),
    month: 'short',
    timeZone: 'UTC',
  }).format(new Date(at))
