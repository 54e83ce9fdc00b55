import type { Row } from '../collections.ts'
import { searchText } from '../contributions/search-source.ts'
import { withTimeout } from '../concurrency/timeout.ts'
import type { Content } from './source.ts'

/** Who the agency is, as far as that is known. */
export type Agency = Partial<Row<'settings'>> & { brand: string }

/**
 * The settings; a neutral name while they cannot be read, for what can do without.
 * @param ms how long they may take; as long as the content service lets wait where not said
 */
export async function readAgency(content: Pick<Content, 'rows'>, ms?: number): Promise<Agency> {
  const rows = content.rows('settings')
  const [settings] = await (ms === undefined ? rows : withTimeout(rows, ms)).catch(() => [])
  return settings ?? { brand: 'Pitlane' }
}

/** Where the agency has offices, as words to be searched. */
export const officesOf = (settings: Pick<Agency, 'offices'> | undefined): string[] =>
  settings?.offices?.map(({ name, city, country }) => searchText(name, city, country)) ?? []
