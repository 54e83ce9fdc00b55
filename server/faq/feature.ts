import { questionFragment, type Question } from '#shared/faq.ts'
import type { Feature, Platform } from '../feature.ts'
import type { KnownServices } from '../services/feature.ts'
import { htmlToText } from '../text/html-to-text.ts'
import { paths } from '#shared/paths.ts'
import { serviceSlug } from '#shared/text/slug.ts'
import type { Content } from '../content/source.ts'

/** Questions and their answers, which are on pages of other features. */
export type FaqFeature = Feature & {
  /** The questions that a page shows, in their order. */
  questionsOn(path: string): Promise<Question[]>
}

/** Questions and answers, from the collection `faq`. */
export function faqFeature(
  { content }: Platform,
  services: Pick<KnownServices, 'slugs'>,
  {
    cancellation,
  }: {
    /** What cancelling a booking costs, in sentences: `{cancellation}` in an answer. */
    cancellation: () => readonly string[]
  },
): FaqFeature {
  const all = async () =>
    (await readQuestions(content, services)).map((each) => ({
      ...each,
      answer: each.answer.replaceAll('{cancellation}', () => cancellation().join(' ')),
    }))
  return {
    name: 'faq',
    questionsOn: async (path) =>
      (await all())
        .filter((each) => each.path === path)
        .map(({ id, question, answer }) => ({ id, question, answer })),
    search: [
      {
        kind: 'faq',
        label: 'Questions',
        async read() {
          // A question is found by its own words: its service has its own page.
          return (await all()).map((each) => ({
            id: each.id,
            title: each.question,
            tags: '',
            intro: htmlToText(each.answer),
            path: `${each.path}#${questionFragment(each)}`,
          }))
        },
      },
    ],
  }
}

/** A question with the path of the page that shows it, and the service that it was written for. */
type PlacedQuestion = Question & { path: string; service: string }

/**
 * All questions, each with its place: the page of its service, or the about page for those of no
 * service, and of a service that has no page.
 */
async function readQuestions(
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
