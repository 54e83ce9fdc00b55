import type { Question } from '#shared/faq.ts'
import { paths } from '#shared/paths.ts'
import { serviceSlug } from '#shared/slug.ts'
import type { Content } from '../content/source.ts'
import type { KnownServices } from '../services/feature.ts'

/** A question with the path of the page that shows it, and the service that it was written for. */
export type PlacedQuestion = Question & { path: string; service: string }

/**
 * All questions, each with its place: the page of its service, or the about page for those of no
 * service, and of a service that has no page.
 */
export async function readQuestions(
  content: Pick<Content, 'rows'>,
  known: Pick<KnownServices, 'slugs'>,
): Promise<PlacedQuestion[]> {
  const [rows, services] = await Promise.all([
    content.rows('faq'),
    content.rows('services').catch(() => []),
  ])
  const slugs = new Set([...known.slugs, ...services.map(({ url }) => serviceSlug(url))])
  return rows.map(({ id, question, answer, service }) => {
    const slug = serviceSlug(service)
    const path = slugs.has(slug) ? paths.service(slug) : paths.about()
    return { id: String(id), question, answer, path, service: service ?? '' }
  })
}
