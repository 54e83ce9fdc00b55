import { Stream } from '../site/stream.tsx'
import { TestimonialSection } from '../ui/testimonial-section.tsx'
import type { HomeData } from './loader.ts'

/** What clients say; without any, or without an answer, the section is left out. */
export function Testimonials({ testimonials }: Pick<HomeData, 'testimonials'>) {
  return (
    <Stream value={testimonials} fallback={null}>
      {(part) =>
        part.ok &&
        part.value.length > 0 && (
          <TestimonialSection quotes={part.value} title="Heard on the radio" />
        )
      }
    </Stream>
  )
}
