import { aboutTexts } from '#shared/about-texts.ts'
import { paths } from '#shared/paths.ts'
import { useIdentity } from '../site/data/identity.ts'
import button from '../ui/button.module.css'
import { CallToAction } from '../ui/page/call-to-action.tsx'
import { ArrowIcon } from '../ui/icons.tsx'
import { PageHead } from '../ui/page/page-head.tsx'
import { Picture } from '../ui/pictures/picture.tsx'
import { Habits } from './habits.tsx'
import type { AboutData } from './loader.ts'
import styles from './page.module.css'
import { People } from './people.tsx'
import { Story } from './story.tsx'

/** The agency: its story, its people and its offices. Sections without content are left out. */
export function Component({ data }: { data: AboutData }) {
  const { team, testimonials, faq, counts, pictures } = data
  const { about } = useIdentity()
  const [first, second] = pictures
  return (
    <>
      <PageHead
        label="About us"
        title={aboutTexts.heading}
        lead={
          about ??
          'A Finnish motorsport media agency. We photograph, film, write and design for teams, series, circuits and their partners.'
        }
      />
      {first && (
        <figure className={`wrap ${styles.lead}`}>
          <div>
            <Picture picture={first.picture} sizes="(width < 96rem) 91vw, 86rem" first />
          </div>
          <figcaption>
            From <a href={paths.project(first.slug)}>{first.title}</a>
          </figcaption>
        </figure>
      )}
      <Story second={second} counts={counts} />
      <Habits />
      <People team={team} testimonials={testimonials} faq={faq} />
      <CallToAction
        title="See you at the next round"
        text="Tell us where you race. We’re probably there already, and the van has coffee."
        subject="Meeting at an event"
      >
        <a href={paths.portfolio()} className={button.arrow}>
          <span>See our work</span> <ArrowIcon />
        </a>
      </CallToAction>
    </>
  )
}
