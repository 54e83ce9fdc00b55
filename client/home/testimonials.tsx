import { Stream } from '../site/stream.tsx'
import type { HomeData, HomeQuote } from './loader.ts'
import { SectionHead } from './section-head.tsx'
import styles from './testimonials.module.css'

/** What clients say; without any, or without an answer, the section is left out. */
export function Testimonials({ testimonials }: Pick<HomeData, 'testimonials'>) {
  return (
    <Stream value={testimonials} fallback={null}>
      {(part) => part.ok && part.value.length > 0 && <Section quotes={part.value} />}
    </Stream>
  )
}

function Section({ quotes }: { quotes: readonly HomeQuote[] }) {
  return (
    <section className={styles.voices} aria-labelledby="voices-title">
      <div className="wrap">
        <SectionHead
          number="04"
          label="Testimonials"
          id="voices-title"
          title="Heard on the radio"
        />
        <ul>
          {quotes.map(({ quote, name, role, company }) => (
            <li key={name}>
              <figure>
                <blockquote>{quote}</blockquote>
                <figcaption>
                  <strong>{name}</strong>
                  <span>{[role, company].filter(Boolean).join(', ')}</span>
                </figcaption>
              </figure>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
