import * as z from 'zod/mini'
import type { Picture } from './content.ts'
import { endpoint, json } from './endpoint.ts'

/** The hero's text from one published record, its photo from another (docs/contract.md, Pages). */
export type Hero = {
  title: string | null
  subtitle: string | null
  buttonText: string | null
  buttonUrl: string | null
  photo: Picture | null
}

/** The hero, picked by a number; null when no record is published. */
export const getHero = endpoint({
  method: 'GET',
  path: '/api/content/hero',
  input: z.object({ variant: z._default(z.coerce.number().check(z.gte(0)), 0) }),
  output: json<Hero | null>(),
})

/** What a client said, as pages show it. */
export type Testimonial = {
  id: string | number
  quote: string
  name: string
  role?: string | null | undefined
  company?: string | null | undefined
  source?: string | null | undefined
  service?: string | null | undefined
}

/** Testimonials that their authors agreed to, sorted. */
export const listTestimonials = endpoint({
  method: 'GET',
  path: '/api/content/testimonials',
  input: z.object({}),
  output: json<Testimonial[]>(),
})
