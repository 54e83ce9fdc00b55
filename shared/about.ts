import * as z from 'zod/mini'
import type { Picture } from './content.ts'
import { endpoint, json } from './endpoint.ts'
import type { Question } from './faq.ts'

/** What the about page shows beside the agency's settings; each part is empty when it cannot be read. */
export type About = {
  team: { name: string; role: string | null; bio: string | null; photo: Picture | null }[]
  testimonials: {
    quote: string
    name: string
    role: string | null
    company: string | null
    source: string | null
  }[]
  /** Those that belong to no single service. */
  faq: Question[]
  /** Counted from what the site itself shows. */
  counts: { services: number; projects: number; disciplines: number }
  /** Pictures of featured work. */
  pictures: (Picture & { title: string; slug: string })[]
  /** False when a part could not be read. */
  complete: boolean
}

/** The people and the work behind the agency. */
export const getAbout = endpoint({
  method: 'GET',
  path: '/api/about',
  input: z.object({}),
  output: json<About>(),
})
