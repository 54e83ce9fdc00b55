import * as z from 'zod/mini'
import type { SaleUnit } from './bookings/sale-units.ts'
import type { Picture } from './content.ts'
import { endpoint, json } from './endpoint.ts'
import type { Question } from './faq.ts'
import type { ProjectCard } from './portfolio.ts'

/** The price from which a service starts, in euro cents without and with VAT, and the rate in per cent. */
export type ServicePrice = { net: number; gross: number; rate: number }

/** A service with everything that its page shows. */
export type Service = {
  slug: string
  title: string
  description: string
  headline: string
  intro: string
  /** Safe HTML. */
  body: string | null
  deliverables: string[]
  process: { title: string; text: string }[]
  priceFrom: ServicePrice | null
  /** What the price holds, as a sentence. */
  priceNote: string | null
  unit: SaleUnit
  /** What the price holds, a line each. */
  includes: readonly string[]
  picture: Picture | null
  gallery: Picture[]
  work: ProjectCard[]
  testimonial: {
    quote: string
    name: string
    role: string | null
    company: string | null
    source: string | null
  } | null
  faq: Question[]
  previous: { title: string; path: string }
  next: { title: string; path: string }
  /** True when the content service isn’t responding and our own words stand in for it. */
  standsIn: boolean
}

/** A service as lists show it; its `url` may come with or without /services/. */
export type ServiceEntry = {
  id: string | number
  title: string
  description?: string | null | undefined
  url: string
  image?: string | null | undefined
}

/** The services, sorted. */
export const listServices = endpoint({
  method: 'GET',
  path: '/api/content/services',
  input: z.object({}),
  output: json<ServiceEntry[]>(),
})

/** One service; the seven of the site always exist, any other slug is `missing`. */
export const getService = endpoint({
  method: 'GET',
  path: '/api/services/:slug',
  input: z.object({ slug: z.string() }),
  output: json<Service>(),
})
