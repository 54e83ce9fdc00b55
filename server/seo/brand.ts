import type { Row } from '#shared/content.ts'
import { inTime } from '../content/in-time.ts'
import type { Content } from '../content/source.ts'

/** Who the agency is, for files beside the pages. */
export type Brand = Partial<Row<'settings'>> & { brand: string }

/** How long a file waits for the settings, in milliseconds. */
const patience = 2_000

/** The settings; a neutral name while they cannot be read, since the files can do without. */
export async function readBrand(content: Pick<Content, 'rows'>): Promise<Brand> {
  const [settings] = await inTime(content.rows('settings'), patience).catch(() => [])
  return settings ?? { brand: 'Pitlane' }
}

/** One sentence about the agency. */
export const summary = ({ about, tagline }: Brand): string =>
  about ??
  tagline ??
  'Photography, videography, public relations, social media and design for motorsport.'
