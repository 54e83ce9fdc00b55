import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import {
  longTexts, rowSchemas, type Collection, type LongTextCollection, type Picture, type Row,
} from '#shared/content.ts'
import type { Config } from '../config.ts'

/** The content service as the site's features see it. */
export type Content = {
  /** Changes whenever anything visible changes. */
  version(): number
  onChange(listener: () => void): () => void
  rows<Name extends Collection>(collection: Name): Promise<readonly Row<Name>[]>
  text(collection: LongTextCollection, id: string | number): Promise<string | null>
  picture(id: string | null | undefined): Promise<Picture | null>
  close(): Promise<void>
}

/** Opens the content service. */
export async function createContent({ config }: { config: Config; log: Logger; clock: () => number }): Promise<Content> {
  const read = async (collection: Collection): Promise<Record<string, unknown>[]> =>
    JSON.parse(await readFile(join(config.contentDir, `${collection}.json`), 'utf8').catch(() => '[]'))
  const rows: Content['rows'] = async (collection) =>
    (await read(collection)).flatMap((row) => {
      const parsed = rowSchemas[collection].safeParse(row)
      return parsed.success ? [parsed.data as never] : []
    })
  return {
    version: () => 1,
    onChange: () => () => {},
    rows,
    async text(collection, id) {
      const row = (await read(collection)).find((found) => found.id === id)
      const value = row?.[longTexts[collection]] as string | { $file: string } | null | undefined
      return value instanceof Object ? readFile(join(config.contentDir, value.$file), 'utf8') : (value ?? null)
    },
    async picture(id) {
      const found = (await rows('media')).find((row) => row.id === id)
      return id && found
        ? { id, alt: found.alt ?? '', width: found.width ?? null, height: found.height ?? null, focal: [found.focal_x ?? 0.5, found.focal_y ?? 0.5] }
        : null
    },
    async close() {},
  }
}
