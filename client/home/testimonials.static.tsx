import type { Said } from '../ui/text/quote.tsx'
import { TestimonialSection } from '../ui/text/testimonial-section.tsx'

/** What clients say. */
export const Component = ({ quotes }: { quotes: readonly Said[] }) => (
  <TestimonialSection quotes={quotes} title="What clients say" />
)
