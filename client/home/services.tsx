import { startTransition, useState } from 'react'
import { paths } from '#shared/paths.ts'
import type { Part, Streamed } from '../site/data/loading.ts'
import type { ServiceCard } from '../site/data/loader.ts'
import { logError } from '../site/log.ts'
import { Stream } from '../site/data/stream.tsx'
import { below } from '../ui/below.ts'
import button from '../ui/button.module.css'
import { ArrowIcon } from '../ui/icons.tsx'
import { SectionHead } from '../ui/page/section-head.tsx'
import { staticPart } from '../site/static-part.tsx'
import styles from './services.module.css'

const ServiceCards = staticPart(() => import('./service-cards.static.tsx'))

/**
 * Placeholder cards while the services load (docs/contract.md, Limits and constants).
 */
const placeholders = 6

/** The services section (docs/contract.md, Pages) with its states loading, failed and shown. */
export function Services({ services }: { services: Streamed<ServiceCard[]> }) {
  const [again, setAgain] = useState<Streamed<ServiceCard[]> | null>(null)
  const retry = () =>
    import('./read-again.ts')
      .then(({ readAgain }) => readAgain())
      .then((read) => startTransition(() => setAgain(read)), logError)
  return (
    <section
      id="services"
      className={`wrap ${styles.section}`}
      aria-labelledby="services-title"
      {...below}
    >
      <SectionHead
        label="Services"
        id="services-title"
        title="Every media job a race weekend brings"
      >
        <p>
          One crew, shakedown to podium. Photos, film, copy and design, delivered before the trucks
          roll out.
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
  return <ServiceCards services={part.value} />
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
