import { useLoaderData } from 'react-router'
import { paths } from '#shared/paths.ts'
import { SectionHead } from '../ui/section-head.tsx'
import { Head } from '../site/head.tsx'
import { useIdentity } from '../site/identity.ts'
import button from '../ui/button.module.css'
import { CallToAction } from '../ui/call-to-action.tsx'
import { ArrowIcon } from '../ui/icons.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { Picture } from '../ui/picture.tsx'
import type { AboutData } from './loader.ts'
import styles from './page.module.css'
import { People } from './people.tsx'

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

/** The about page: story, people, offices. Sections without content are left out. */
export function Component() {
  const { team, testimonials, faq, counts, pictures, shared } = useLoaderData<AboutData>()
  const { brand, about, founded, offices } = useIdentity()
  const [first, second] = pictures
  return (
    <>
      <Head
        title="About us"
        description={`${brand} is a Finnish motorsport media agency: who we are, how we work, and where to find us.`}
        image={shared}
      />
      <PageHead
        label="About us"
        title="Media people who grew up trackside"
        lead={
          about ??
          'A Finnish motorsport media agency. We photograph, film, write and design for teams, series, circuits and their partners.'
        }
      />
      {first && (
        <figure className={`wrap ${styles.lead}`}>
          <div>
            <Picture picture={first.picture} sizes="(width < 96rem) 92vw, 86rem" first />
          </div>
          <figcaption>
            From <a href={paths.project(first.slug)}>{first.title}</a>
          </figcaption>
        </figure>
      )}
      <section className={`wrap ${styles.story}`} aria-labelledby="story-title">
        <SectionHead
          number="01"
          label="Story"
          id="story-title"
          title="It began with a van and a deadline"
        />
        <div className={styles.columns}>
          <div className={styles.text}>
            <p>
              {founded ? `In ${founded}` : 'Years ago'} a rally team needed pictures before its
              partners went to bed, and nobody could deliver them. So two people drove to the
              nearest signal, edited on the bonnet, and sent them. The partners wrote back the same
              night.
            </p>
            <p>
              The van is larger now and the signal better. The idea has stayed: motorsport is news
              for a few hours, and a memory for decades. Good media work serves both, with a picture
              that is there in time and an archive that is still right in twenty years.
            </p>
            <p>
              Today we photograph, film, write, publish and design, one craft at a time or as a
              whole department. The people you meet in the paddock are the people who wrote your
              offer.
            </p>
          </div>
          {second && (
            <div className={styles.picture}>
              <Picture picture={second.picture} sizes="(width < 60rem) 100vw, 38vw" />
            </div>
          )}
        </div>
        <Numbers
          numbers={[
            { value: founded ?? 0, word: 'founded in Helsinki' },
            { value: offices?.length ?? 0, word: 'offices, one working day apart' },
            { value: counts.services, word: 'crafts under one roof' },
            { value: counts.disciplines, word: 'disciplines in our portfolio' },
          ]}
        />
      </section>
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
      <People team={team} testimonials={testimonials} faq={faq} />
      <CallToAction
        title="Meet us at the next event"
        text="Tell us where you race. We are probably there already, and the coffee in the van is free."
        subject="Meeting at an event"
      >
        <a href={paths.portfolio()} className={button.arrow}>
          <span>See our work</span> <ArrowIcon />
        </a>
      </CallToAction>
    </>
  )
}

/** What can be counted on this very site; nothing that is zero. */
function Numbers({ numbers }: { numbers: readonly { value: number; word: string }[] }) {
  const known = numbers.filter(({ value }) => value > 1)
  if (known.length === 0) return null
  return (
    <dl className={styles.numbers}>
      {known.map(({ value, word }) => (
        <div key={word}>
          <dt>{word}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
