import { SectionHead } from '../ui/page/section-head.tsx'
import styles from './page.module.css'

/** How the agency works, in its own words. */
const habits = [
  {
    title: 'We are early',
    text: 'Accreditation, positions and weather are settled before the trucks arrive. On the day there is time to look.',
  },
  {
    title: 'We travel light',
    text: 'Two people who know the sport get closer than ten who don’t, and cost less on the road.',
  },
  {
    title: 'We check names',
    text: 'Every caption is checked against the entry list. Drivers share photos that spell their name right.',
  },
  {
    title: 'We say no',
    text: 'To shots that put someone where nobody should stand, and to dates when our best crew is booked.',
  },
]

/** How the agency works, in four habits. */
export function Habits() {
  return (
    <section className={`night ${styles.habits}`} aria-labelledby="habits-title">
      <div className="wrap">
        <SectionHead label="How we work" id="habits-title" title="Four things you’ll notice" />
        <ul>
          {habits.map(({ title, text }) => (
            <li key={title}>
              <h3>{title}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
