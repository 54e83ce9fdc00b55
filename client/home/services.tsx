import { useState } from 'react'
import { paths } from '#shared/paths.ts'
import type { Part, Streamed } from '../site/loading.ts'
import type { ServiceCard } from '../site/loader.ts'
import { logError } from '../site/log.ts'
import { Stream } from '../site/stream.tsx'
import button from '../ui/button.module.css'
import { ArrowIcon } from '../ui/icons.tsx'
import { SectionHead } from '../ui/section-head.tsx'
import { ServiceIcon } from './service-icon.tsx'
import styles from './services.module.css'

/**
 * Cards that stand in while the services are on their way (docs/contract.md, Limits and constants).
 */
const placeholders = 6

/** The services section (docs/contract.md, Pages) with its states loading, failed and shown. */
export function Services({ services }: { services: Streamed<ServiceCard[]> }) {
  const [again, setAgain] = useState<Streamed<ServiceCard[]> | null>(null)
  const retry = () =>
    import('./read-again.ts').then(({ readAgain }) => readAgain()).then(setAgain, logError)
  return (
    <section id="services" className={`wrap ${styles.section}`} aria-labelledby="services-title">
      <SectionHead
        number="01"
        label="Services"
        id="services-title"
        title="Everything a race weekend asks of your media"
      >
        <p>
          One crew from shakedown to podium: pictures, film, words and design that leave the paddock
          before the trucks do.
        </p>
      </SectionHead>
      <Stream value={again ?? services} fallback={<Placeholders />}>
        {(part) => <Result part={part} retry={() => void retry()} />}
      </Stream>
      <a href={paths.mediaOutsourcing()} className={`${button.arrow} ${styles.more}`}>
        <span>Explore Full Media Outsourcing</span> <ArrowIcon />
      </a>
    </section>
  )
}

function Result({ part, retry }: { part: Part<ServiceCard[]>; retry: () => void }) {
  if (!part.ok) {
    return (
      <div className={styles.failed} role="alert">
        <p>Failed to load services. Please try again later.</p>
        <button type="button" className={`${button.button} ${button.small}`} onClick={retry}>
          Try again
        </button>
      </div>
    )
  }
  return (
    <ul className={styles.grid}>
      {part.value.map((service) => (
        <li key={service.path}>
          <Card service={service} />
        </li>
      ))}
    </ul>
  )
}

function Card({ service: { title, description, path, picture } }: { service: ServiceCard }) {
  return (
    <article className={styles.card}>
      {picture && (
        <div className={styles.picture}>
          <img {...picture} alt="" sizes="(width < 48rem) 100vw, 50vw" loading="lazy" />
        </div>
      )}
      <ServiceIcon title={title} />
      <h3>{title}</h3>
      <p>{description}</p>
      <a
        href={path}
        className={`${button.arrow} ${styles.explore}`}
        aria-label={`Explore ${title}`}
      >
        <span>Explore</span> <ArrowIcon />
      </a>
    </article>
  )
}

const Placeholders = () => (
  <ul className={styles.grid} aria-busy="true" aria-label="Loading services">
    {Array.from({ length: placeholders }, (_, index) => (
      <li key={index}>
        <div className={`${styles.card} ${styles.placeholder}`} />
      </li>
    ))}
  </ul>
)
