import { paths } from '#shared/paths.ts'
import { below } from '../ui/below.ts'
import button from '../ui/button.module.css'
import { ArrowIcon } from '../ui/icons.tsx'
import { SectionHead } from '../ui/page/section-head.tsx'
import styles from './outsourcing.module.css'

/** A race week as the crew works it, laid out like a timing screen. */
const week = [
  {
    day: 'Thu',
    session: 'Paddock opens',
    work: 'Arrivals, portraits, preview film live on your channels',
  },
  {
    day: 'Fri',
    session: 'Practice',
    work: 'First gallery out to press, stories between runs',
  },
  {
    day: 'Sat',
    session: 'Qualifying',
    work: 'Grid graphics, quotes and a release within the hour',
  },
  { day: 'Sun', session: 'Race', work: 'Live coverage, podium photos while the anthem plays' },
  {
    day: 'Mon',
    session: 'Debrief',
    work: 'Race film, sponsor report, tagged archive delivered',
  },
]

/** The media-outsourcing section of the home page (docs/contract.md, Pages). */
export function Component() {
  return (
    <section
      id="media-outsourcing"
      className={`night ${styles.outsourcing}`}
      aria-labelledby="outsourcing-title"
      {...below}
    >
      <div className="wrap">
        <SectionHead
          label="Media outsourcing"
          id="outsourcing-title"
          title="Your media department, trackside"
        >
          <p>
            Hand us the lot. One contact, one calendar, one crew that travels with you and speaks in
            your voice.
          </p>
        </SectionHead>
        <ol className={styles.week}>
          {week.map(({ day, session, work }) => (
            <li key={day}>
              <span className={styles.day}>{day}</span>
              <strong>{session}</strong>
              <span className={styles.work}>{work}</span>
            </li>
          ))}
        </ol>
        <p className={styles.ways}>
          <a href={paths.booking()} className={button.button}>
            Book your dates
          </a>
          <a href={paths.mediaOutsourcing()} className={button.arrow}>
            <span>How media outsourcing works</span> <ArrowIcon />
          </a>
        </p>
      </div>
    </section>
  )
}
