import type { ReactNode } from 'react'
import { Quote, type Said } from './quote.tsx'
import { SectionHead } from '../page/section-head.tsx'
import { below } from '../below.ts'
import styles from './testimonial-section.module.css'

type Props = {
  quotes: readonly Said[]
  title: string
  className?: string | undefined
  /** Stands beside the title. */
  children?: ReactNode
}

/** What clients say. */
export function TestimonialSection({ quotes, title, className = '', children }: Props) {
  return (
    <section
      className={`${styles.testimonials} ${className}`}
      aria-labelledby="voices-title"
      {...below}
    >
      <div className="wrap">
        <SectionHead label="Testimonials" id="voices-title" title={title}>
          {children}
        </SectionHead>
        <ul>
          {quotes.map((said) => (
            <li key={said.name}>
              <Quote said={said} />
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
