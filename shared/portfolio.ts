import * as z from 'zod/mini'
import type { Picture } from './content.ts'
import { endpoint, json } from './endpoint.ts'

/** How many projects a page of the portfolio shows. */
export const projectsPerPage = 24

/** A project as a grid shows it. */
export type ProjectCard = {
  slug: string
  title: string
  client: string | null
  discipline: string | null
  year: number | null
  location: string | null
  /** The event it was made at. */
  event: string | null
  /** The first of what can be counted, such as `61` `clips in 48 hours`. */
  number: { value: string; label: string } | null
  /** How many pictures its view holds. */
  pictures: number
  picture: Picture | null
}

/** A value of a filter, and how many projects it would leave beside the other filters. */
export type Choice = { value: string; label: string; count: number }

/** The filters by their names in the address. */
export type FilterName = 'discipline' | 'service' | 'series' | 'year'

/** A page of the portfolio under its filters. */
export type PortfolioPage = {
  projects: ProjectCard[]
  total: number
  page: number
  pages: number
  filters: { name: FilterName; label: string; chosen: string | null; choices: Choice[] }[]
}

/** A film of a project. */
export type Film = {
  /** Where its file is. */
  src: string
  /** Where its captions are, as WebVTT. */
  captions: string | null
  /** What is seen before it begins. */
  poster: Picture | null
  seconds: number | null
  /** When it came out, as ISO 8601. */
  published: string | null
}

/** A project with everything that its view and its page show. */
export type Project = Omit<ProjectCard, 'number' | 'pictures'> & {
  description: string
  series: string | null
  /** What can be counted, such as `61` `clips in 48 hours`. */
  numbers: { value: string; label: string }[]
  credits: { role: string; name: string }[]
  quote: { quote: string; name: string; role: string | null } | null
  /** The one after it in the order of the portfolio; the first after the last; null for the only one. */
  next: ProjectCard | null
  /** The address of a film elsewhere. */
  videoUrl: string | null
  film: Film | null
  service: { title: string; path: string } | null
  pictures: Picture[]
}

const text = z.optional(z.string())

/** The portfolio; an unknown value of a filter or a page beyond the end is `missing`. */
export const listPortfolio = endpoint({
  method: 'GET',
  path: '/api/portfolio',
  input: z.object({ discipline: text, service: text, series: text, year: text, page: text }),
  output: json<PortfolioPage>(),
})

/** One project, or the present slug for a former one; `missing` where there is none. */
export const getProject = endpoint({
  method: 'GET',
  path: '/api/portfolio/:slug',
  input: z.object({ slug: z.string() }),
  output: json<Project | { movedTo: string }>(),
})
