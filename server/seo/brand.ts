import type { Row } from '#shared/content.ts'
import type { Content } from '../content/source.ts'

/** Who the agency is, for files beside the pages. */
export type Brand = Partial<Row<'settings'>> & { brand: string }

/** The settings; a neutral name while they cannot be read, since the files can do without. */
export async function readBrand(content: Pick<Content, 'rows'>): Promise<Brand> {
  const [settings] = await content.rows('settings').catch(() => [])
  return settings ?? { brand: 'Pitlane' }
}

/** One sentence about the agency. */
export const summary = ({ about, tagline }: Brand): string =>
  about ??
  tagline ??
  'Photography, videography, public relations, social media and design for motorsport.'
