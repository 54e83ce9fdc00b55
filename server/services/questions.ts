import type { Question } from '#shared/faq.ts'
import { paths } from '#shared/paths.ts'
import type { Content } from '../content/source.ts'
import { serviceSlug } from '../portfolio/portfolio-index.ts'
import { standIns } from './stand-ins.ts'

/** A question with the path of the page that shows it, and the service that it was written for. */
export type PlacedQuestion = Question & { path: string; service: string }

/**
 * All questions, each with its place: the page of its service, or the about page for those of no
 * service, and of a service that has no page.
 */
export async function readQuestions(content: Pick<Content, 'rows'>): Promise<PlacedQuestion[]> {
  const [rows, services] = await Promise.all([
    content.rows('faq'),
    content.rows('services').catch(() => []),
  ])
  const known = new Set([
    ...standIns.map(({ slug }) => slug),
    ...services.map(({ url }) => serviceSlug(url)),
  ])
  return rows.map(({ id, question, answer, service }) => {
    const slug = serviceSlug(service)
    const path = known.has(slug) ? paths.service(slug) : paths.about()
    return { id: String(id), question, answer, path, service: service ?? '' }
  })
}

/** The questions that a page shows, in their order. */
export async function questionsOn(
  path: string,
  content: Pick<Content, 'rows'>,
): Promise<Question[]> {
  const all = await readQuestions(content)
  return all
    .filter((each) => each.path === path)
    .map(({ id, question, answer }) => ({ id, question, answer }))
}
