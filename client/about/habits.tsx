import { SectionHead } from '../ui/section-head.tsx'
import styles from './page.module.css'

/** How the agency works, in its own words. */
const habits = [
  {
    title: 'We are early',
    text: 'Accreditation, positions and weather are settled before the trucks arrive. On the day there is time to look.',
  },
  {
    title: 'We travel small',
    text: 'Two people who know the sport get closer than ten who do not, and cost less on the road.',
  },
  {
    title: 'We check names',
    text: 'Every caption is held against the entry list. A driver whose name is right is a driver who shares the picture.',
  },
  {
    title: 'We say no',
    text: 'To a picture that needs somebody to stand where nobody should, and to dates on which our best crew is elsewhere.',
  },
]

/** The second section. */
export function Habits() {
  return (
    <section className={`night ${styles.habits}`} aria-labelledby="habits-title">
      <div className="wrap">
        <SectionHead
          number="02"
          label="Habits"
          id="habits-title"
          title="Four things that you will notice"
        />
        <ol>
          {habits.map(({ title, text }) => (
            <li key={title}>
              <h3>{title}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ol>
      </div>
    </section>
  )
}
