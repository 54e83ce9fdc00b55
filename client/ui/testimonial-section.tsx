import type { ReactNode } from 'react'
import { SectionHead } from './section-head.tsx'
import styles from './testimonial-section.module.css'

type Props = {
  quotes: readonly {
    quote: string
    name: string
    role?: string | null | undefined
    company?: string | null | undefined
    /** The occasion on which it was said. */
    source?: string | null | undefined
  }[]
  title: string
  className?: string | undefined
  /** Stands beside the title. */
  children?: ReactNode
}

/** The fourth section of a page: what clients say. */
export function TestimonialSection({ quotes, title, className = '', children }: Props) {
  return (
    <section className={`${styles.testimonials} ${className}`} aria-labelledby="voices-title">
      <div className="wrap">
        <SectionHead number="04" label="Testimonials" id="voices-title" title={title}>
          {children}
        </SectionHead>
        <ul>
          {quotes.map(({ quote, name, role, company, source }) => (
            <li key={name}>
              <figure>
                <blockquote>{quote}</blockquote>
                <figcaption>
                  <strong>{name}</strong>
                  <span>{[role, company].filter(Boolean).join(', ')}</span>
                  {source && <span>{source}</span>}
                </figcaption>
              </figure>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
