import { questionFragment, type Question } from '#shared/faq.ts'
import type { Feature, Platform } from '../feature.ts'
import type { KnownServices } from '../services/feature.ts'
import { htmlToText } from '../text/html-to-text.ts'
import { readQuestions } from './questions.ts'

/** Questions and their answers, which stand on pages of other features. */
export type FaqFeature = Feature & {
  /** The questions that a page shows, in their order. */
  questionsOn(path: string): Promise<Question[]>
}

/** Makes the feature over the collection `faq`. */
export function faqFeature(
  { content }: Platform,
  services: Pick<KnownServices, 'slugs' | 'names'>,
): FaqFeature {
  const all = () => readQuestions(content, services)
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
          const [questions, service] = await Promise.all([all(), services.names()])
          return questions.map((each) => ({
            id: each.id,
            title: each.question,
            tags: service(each.service) ?? '',
            intro: htmlToText(each.answer),
            path: `${each.path}#${questionFragment(each)}`,
          }))
        },
      },
    ],
  }
}
