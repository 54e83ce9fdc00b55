import type { Row } from '#shared/content.ts'
import { questionFragment } from '#shared/faq.ts'
import { paths, servicePath } from '#shared/paths.ts'
import { searchKinds } from '#shared/search.ts'
import type { Content } from '../content/source.ts'
import { serviceSlug } from '../portfolio/portfolio-index.ts'
import { readQuestions } from '../services/questions.ts'
import { standIns } from '../services/stand-ins.ts'
import type { SearchDocument, SearchSource } from '../search-source.ts'
import { withTimeout } from '../timeout.ts'
import { htmlToText } from '../text/html-to-text.ts'

/**
 * What is searchable of the content service. It shows only published and due rows, so that drafts
 * and embargoed articles never get here.
 */
export function contentSources(content: Content): SearchSource[] {
  const text = (collection: 'services' | 'news', stored: Readonly<Record<string, unknown>>) => () =>
    content.storedText(collection, stored)

  return [
    {
      kind: 'services',
      label: searchKinds.services,
      read: async () =>
        (await content.stored('services')).map(({ row, stored }) => {
          const { id, title, description, url, headline, intro, deliverables, process } =
            row as Row<'services'>
          return {
            id: String(id),
            title,
            tags: words(headline, deliverables),
            intro: words(
              description,
              intro,
              process?.flatMap((step) => [step.title, step.text]),
            ),
            path: servicePath(url),
            body: text('services', stored),
          }
        }),
    },
    {
      kind: 'portfolio',
      label: searchKinds.portfolio,
      read: async () => {
        const [rows, service] = await Promise.all([
          content.rows('portfolio'),
          serviceNames(content),
        ])
        return rows.map((row) => ({
          id: String(row.id),
          title: row.title,
          tags: words(
            row.client,
            service(row.service),
            row.discipline,
            row.series,
            row.year,
            row.location,
          ),
          intro: words(row.description),
          path: `${paths.portfolio()}?project=${encodeURIComponent(row.slug)}`,
          date: row.published_at ?? null,
        }))
      },
    },
    {
      kind: 'news',
      label: searchKinds.news,
      read: async () =>
        (await content.stored('news')).map(({ row, stored }) => {
          const { id, slug, title, excerpt, category, author, tags, published_at } =
            row as Row<'news'>
          return {
            id: String(id),
            title,
            tags: words(category, tags, author),
            intro: words(excerpt),
            path: paths.article(slug),
            date: published_at,
            body: text('news', stored),
          }
        }),
    },
    {
      kind: 'faq',
      label: searchKinds.faq,
      read: async () => {
        const [questions, service] = await Promise.all([
          readQuestions(content),
          serviceNames(content),
        ])
        return questions.map((each) => ({
          id: each.id,
          title: each.question,
          tags: service(each.service) ?? '',
          intro: htmlToText(each.answer),
          path: `${each.path}#${questionFragment(each)}`,
        }))
      },
    },
    { kind: 'pages', label: searchKinds.pages, read: () => pages(content) },
  ]
}

/** How long the words of pages wait for those of content, in milliseconds. */
const patience = 1_500

/** The pages that are not rows of a collection; they stand whatever the content service does. */
async function pages(content: Content): Promise<SearchDocument[]> {
  const [[settings], team, services] = await Promise.all([
    withTimeout(content.rows('settings'), patience).catch(() => []),
    withTimeout(content.rows('team'), patience).catch(() => []),
    withTimeout(content.rows('services'), patience).catch(() => []),
  ])
  const page = (path: string, title: string, intro: string, tags = ''): SearchDocument => ({
    id: path,
    title,
    tags,
    intro,
    path,
  })
  const offices = settings?.offices?.map(({ name, city, country }) => words(name, city, country))
  return [
    page(
      paths.services(),
      'Motorsport media services',
      words(services.map(({ title }) => title)),
      'motorsport racing media services',
    ),
    page(
      paths.portfolio(),
      'Portfolio',
      'Selected work from rally, circuit, ice and karting, sorted by service, discipline and year.',
      'portfolio work gallery pictures films motorsport racing',
    ),
    page(
      paths.news(),
      'News',
      'Race reports, guides and notes from the road.',
      'news articles blog motorsport racing',
    ),
    page(
      paths.about(),
      'About us',
      words(
        settings?.about,
        team.flatMap(({ name, role, bio }) => [name, role ?? '', bio ?? '']),
      ),
      words('about team people company', settings?.brand, offices),
    ),
    page(
      paths.contact(),
      'Contact',
      words(
        'Write or call; we answer on the next working day.',
        settings?.email,
        settings?.phone,
        settings?.street,
        words(settings?.postal_code, settings?.city, settings?.country),
        offices,
      ),
      'contact e-mail telephone address office',
    ),
    page(
      paths.privacyPolicy(),
      'Privacy policy',
      'Which personal data we keep, why, for how long, and what you may ask of us.',
      'privacy personal data protection GDPR',
    ),
    page(
      paths.termsOfService(),
      'Terms of service',
      'The terms under which this site and our work may be used.',
      'terms conditions legal licence',
    ),
    page(
      paths.cookiePolicy(),
      'Cookie policy',
      'What this site stores in your browser, and what only with your consent.',
      'cookies consent storage',
    ),
    page(
      paths.accessibility(),
      'Accessibility statement',
      'How usable this site is for everybody, and whom to tell when it is not.',
      'accessibility WCAG screen reader keyboard',
    ),
  ]
}

/** Texts side by side; what is not there leaves nothing. */
function words(...parts: readonly (string | number | readonly string[] | null | undefined)[]) {
  return parts
    .flatMap((part) => part ?? [])
    .filter((part) => part !== '')
    .join(' · ')
}

/** The name of a service as readers know it, from any way in which rows name it. */
async function serviceNames(
  content: Pick<Content, 'rows'>,
): Promise<(stored: string | null | undefined) => string | null> {
  const rows = await content.rows('services').catch(() => [])
  const titles = new Map([
    ...standIns.map(({ slug, title }) => [slug, title] as const),
    ...rows.map(({ url, title }) => [serviceSlug(url), title] as const),
  ])
  return (stored) => {
    const slug = serviceSlug(stored)
    if (!slug) return null
    // What names no service is at least no slug to read.
    return titles.get(slug) ?? slug.charAt(0).toUpperCase() + slug.slice(1).replaceAll('-', ' ')
  }
}
