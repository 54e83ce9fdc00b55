import { aboutTexts } from '#shared/about-texts.ts'
import { paths } from '#shared/paths.ts'
import { officesOf } from '../content/agency.ts'
import type { Content } from '../content/source.ts'
import { pageTimeout, searchPage, searchText, type SearchDocument } from '../search-source.ts'
import { withTimeout } from '../timeout.ts'

/** The page about the agency, with its people and offices. */
export async function aboutPage(content: Pick<Content, 'rows'>): Promise<SearchDocument> {
  const [[settings], team] = await Promise.all([
    withTimeout(content.rows('settings'), pageTimeout).catch(() => []),
    withTimeout(content.rows('team'), pageTimeout).catch(() => []),
  ])
  const people = team.flatMap(({ name, role, bio }) => [name, role ?? '', bio ?? ''])
  return searchPage(paths.about(), aboutTexts, {
    names: ['about', 'team', 'people', 'company', 'who we are'],
    intro: searchText(settings?.about, people, settings?.brand, officesOf(settings)),
  })
}
