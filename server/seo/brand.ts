import type { Row } from '#shared/content.ts'
import { withTimeout } from '../timeout.ts'
import type { Content } from '../content/source.ts'

/** Who the agency is, for files beside the pages. */
export type Brand = Partial<Row<'settings'>> & { brand: string }

/**
 * The settings; a neutral name while they cannot be read, since the files can do without.
 * @param ms how long they may take; as long as the content service lets wait where not said
 */
export async function readBrand(content: Pick<Content, 'rows'>, ms?: number): Promise<Brand> {
  const rows = content.rows('settings')
  const [settings] = await (ms === undefined ? rows : withTimeout(rows, ms)).catch(() => [])
  return settings ?? { brand: 'Pitlane' }
}

/** One sentence about the agency. */
export const summary = ({ about, tagline }: Brand): string =>
  about ??
  tagline ??
  'Photography, videography, public relations, social media and design for motorsport.'
