import { paths } from '#shared/paths.ts'
import { searchKinds } from '#shared/search.ts'
import type { Content } from '../content/source.ts'
import { searchText, type SearchDocument, type SearchSource } from '../search-source.ts'
import { withTimeout } from '../timeout.ts'

/** The pages of the site that are no feature's own, as they can be found. */
export const pageSource = (content: Pick<Content, 'rows'>): SearchSource => ({
  kind: 'pages',
  label: searchKinds.pages,
  read: () => pages(content),
})

/** How long the words of pages wait for those of content, in milliseconds. */
const patience = 1_500

/** The pages that are not rows of a collection; they stand whatever the content service does. */
async function pages(content: Pick<Content, 'rows'>): Promise<SearchDocument[]> {
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
  const offices = settings?.offices?.map(({ name, city, country }) =>
    searchText(name, city, country),
  )
  return [
    page(
      paths.services(),
      'Motorsport media services',
      searchText(services.map(({ title }) => title)),
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
      searchText(
        settings?.about,
        team.flatMap(({ name, role, bio }) => [name, role ?? '', bio ?? '']),
      ),
      searchText('about team people company', settings?.brand, offices),
    ),
    page(
      paths.contact(),
      'Contact',
      searchText(
        'Write or call; we answer on the next working day.',
        settings?.email,
        settings?.phone,
        settings?.street,
        searchText(settings?.postal_code, settings?.city, settings?.country),
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
