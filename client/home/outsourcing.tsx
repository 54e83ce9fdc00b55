import { paths } from '#shared/paths.ts'
import button from '../ui/button.module.css'
import { ArrowIcon } from '../ui/icons.tsx'
import { SectionHead } from '../ui/section-head.tsx'
import styles from './outsourcing.module.css'

/** A race week as the agency works it, in the manner of a timing screen. */
const week = [
  {
    day: 'Thu',
    session: 'Paddock opens',
    work: 'Arrival set, portraits, preview film on your channels',
  },
  {
    day: 'Fri',
    session: 'Practice',
    work: 'First gallery to your press list, stories between runs',
  },
  {
    day: 'Sat',
    session: 'Qualifying',
    work: 'Grid position graphics, quotes and a release within the hour',
  },
  { day: 'Sun', session: 'Race', work: 'Live coverage, podium pictures while the anthem plays' },
  {
    day: 'Mon',
    session: 'Debrief',
    work: 'Race film, sponsor report, archive tagged and handed over',
  },
]

/** The media-outsourcing section of the home page (docs/contract.md, Pages). */
export function Outsourcing() {
  return (
    <section
      id="media-outsourcing"
      className={`night ${styles.outsourcing}`}
      aria-labelledby="outsourcing-title"
    >
      <div className="wrap">
        <SectionHead
          number="02"
          label="Media outsourcing"
          id="outsourcing-title"
          title="Your media department, trackside"
        >
          <p>
            Hand us the whole desk. One contact, one calendar and one crew that travels with you and
            answers to your brand.
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
        <a href={paths.mediaOutsourcing()} className={button.arrow}>
          <span>How media outsourcing works</span> <ArrowIcon />
        </a>
      </div>
    </section>
  )
}
