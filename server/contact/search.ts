import { paths } from '#shared/paths.ts'
import { officesOf } from '../content/agency.ts'
import type { Content } from '../content/source.ts'
import { pageTimeout, searchPage, searchText, type SearchDocument } from '../search-source.ts'
import { withTimeout } from '../timeout.ts'

/** The place on the home page where visitors write, with the ways to reach the agency. */
export async function contactPage(content: Pick<Content, 'rows'>): Promise<SearchDocument> {
  const [settings] = await withTimeout(content.rows('settings'), pageTimeout).catch(() => [])
  return searchPage(paths.contact(), {
    title: 'Contact',
    intro: searchText(
      'Write or call; we answer on the next working day.',
      settings?.email,
      settings?.phone,
      settings?.street,
      searchText(settings?.postal_code, settings?.city, settings?.country),
      officesOf(settings),
    ),
    tags: 'contact e-mail telephone address office',
  })
}
