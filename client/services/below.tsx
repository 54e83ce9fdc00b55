import { paths } from '#shared/paths.ts'
import { SectionHead } from '../ui/page/section-head.tsx'
import { ProjectLink } from '../portfolio/project-link.tsx'
import button from '../ui/button.module.css'
import { CallToAction } from '../ui/page/call-to-action.tsx'
import { CardGrid } from '../ui/cards/card-grid.tsx'
import { ArrowIcon } from '../ui/icons.tsx'
import { Faq } from '../ui/text/faq.tsx'
import { Picture } from '../ui/pictures/picture.tsx'
import { Quote } from '../ui/text/quote.tsx'
import styles from './below.module.css'
import type { ServiceData } from './loader.ts'
import { ServiceForMachines } from './structured-data.tsx'

/** How a service is done, what came of it, and what people ask and say about it. */
export function ServiceBelow({ service }: { service: ServiceData }) {
  const { title, slug, process, gallery, work, testimonial, faq, previous, next } = service
  return (
    <>
      <Process steps={process} />
      {gallery.length > 0 && <Gallery title={title} pictures={gallery.slice(0, 3)} />}
      {work.length > 0 && <Work service={service} />}
      {testimonial && (
        <div className={styles.voice}>
          <Quote said={testimonial} className="wrap" />
        </div>
      )}
      <Faq questions={faq} title="Questions we get" />
      <ServiceForMachines service={service} />
      <CallToAction
        title="Tell us about your next race"
        text="Event, dates, and what you need: three lines get you a first answer and a straight price."
        subject={title}
        action="Start a project"
      >
        <a href={paths.booking({ service: slug })} className={`${button.button} ${button.quiet}`}>
          Check dates
        </a>
      </CallToAction>
      <Neighbours previous={previous} next={next} />
    </>
  )
}

function Process({ steps }: { steps: ServiceData['process'] }) {
  return (
    <section className={`night ${styles.process}`} aria-labelledby="process-title">
      <div className="wrap">
        <SectionHead
          label="How it works"
          id="process-title"
          title="From first call to final delivery"
        />
        <ol className={styles.steps}>
          {steps.map((step) => (
            <li key={step.title}>
              <h3>{step.title}</h3>
              <p>{step.text}</p>
            </li>
          ))}
        </ol>
      </div>
    </section>
  )
}

function Gallery({ title, pictures }: { title: string; pictures: ServiceData['gallery'] }) {
  return (
    <ul className={`wrap ${styles.gallery}`} aria-label={`${title}: photos`}>
      {pictures.map((picture, index) => (
        <li key={picture.src}>
          <Picture
            picture={picture}
            sizes={index === 0 ? '(width < 48rem) 100vw, 62vw' : '(width < 48rem) 100vw, 32vw'}
          />
        </li>
      ))}
    </ul>
  )
}

function Work({ service: { title, slug, work } }: { service: ServiceData }) {
  return (
    <section className={`wrap ${styles.work}`} aria-labelledby="work-title">
      <SectionHead label="Work" id="work-title" title="Recent work">
        <a href={`${paths.portfolio()}?service=${slug}`} className={button.arrow}>
          <span>All {title.toLowerCase()} work</span> <ArrowIcon />
        </a>
      </SectionHead>
      <CardGrid>
        {work.map((project) => (
          <li key={project.slug}>
            <ProjectLink project={project} sizes="(width < 48rem) 100vw, 31vw" />
          </li>
        ))}
      </CardGrid>
    </section>
  )
}

function Neighbours({ previous, next }: Pick<ServiceData, 'previous' | 'next'>) {
  return (
    <nav className={`wrap ${styles.neighbours}`} aria-label="More services">
      {[
        { word: 'Previous service', ...previous },
        { word: 'Next service', ...next },
      ].map(({ word, title: name, path }) => (
        <a key={word} href={path}>
          <span className="label">{word}</span>
          <strong>{name}</strong>
          <ArrowIcon />
        </a>
      ))}
    </nav>
  )
}
