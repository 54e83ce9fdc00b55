import type { LinkStatistics } from '#shared/links.ts'
import styles from './statistics.module.css'

const width = 720
const height = 160

type Days = { days: LinkStatistics['days'] }

/** Clicks by day as bars, with the same numbers as a table. */
export function Chart({ days }: Days) {
  const max = Math.max(1, ...days.map(({ human, bot }) => human + bot))
  const top = ceiling(max)
  return (
    <figure className={styles.chart}>
      <p aria-hidden="true" className={styles.top}>
        {top.toLocaleString('en-GB')}
      </p>
      <Bars days={days} top={top} />
      <div aria-hidden="true" className={styles.axis}>
        <span>{short(days[0]!.day)}</span>
        <span className={styles.legend}>
          <i data-of="human" /> People <i data-of="bot" /> Bots
        </span>
        <span>{short(days.at(-1)!.day)}</span>
      </div>
      <figcaption>
        <details>
          <summary>Show as table</summary>
          <DayTable days={days} />
        </details>
      </figcaption>
    </figure>
  )
}

type BarsProps = Days & {
  /** The count that reaches to the upper edge. */
  top: number
}

function Bars({ days, top }: BarsProps) {
  const step = width / days.length
  const bar = Math.max(1, step - Math.min(4, step * 0.25))
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
      {days.map(({ day, human, bot }, index) => (
        <g key={day}>
          <rect
            className={styles.human}
            x={index * step}
            y={height - scaled(human)}
            width={bar}
            height={scaled(human)}
          />
          <rect
            className={styles.bot}
            x={index * step}
            y={height - scaled(human + bot)}
            width={bar}
            height={scaled(bot)}
          />
        </g>
      ))}
    </svg>
  )
}

const DayTable = ({ days }: Days) => (
  // Without focus, the keyboard could not scroll it.
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
  <div className={styles.scroll} tabIndex={0} role="group" aria-label="Clicks by day">
    <table>
      <thead>
        <tr>
          <th scope="col">Day</th>
          <th scope="col">People</th>
          <th scope="col">Bots</th>
        </tr>
      </thead>
      <tbody>
        {days.toReversed().map(({ day, human, bot }) => (
          <tr key={day}>
            <th scope="row">{day}</th>
            <td>{human}</td>
            <td>{bot}</td>
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

/** 20 Nov */
const short = (day: string) =>
  new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
    new Date(day),
  )
