import type { Logger } from 'pino'
import {
  richFields,
  type Collection,
  type LongTextCollection,
  type Picture,
  type Row,
} from '#shared/content.ts'
import type { Config } from '../config.ts'
import { createAdmissions } from './admissions.ts'
import { createDirectus } from './directus.ts'
import { createEmbedded } from './embedded.ts'
import { createPictures } from './pictures.ts'
import type { Original, Reader, StoredRow } from './reader.ts'
import { createRichText } from './rich-text.ts'
import { admit, type Admission, type Admitted } from './rows.ts'
import type { Pace } from './snapshots.ts'

/** The content service as the site's features see it: only what the public may see, checked and clean. */
export type Content = {
  /** Changes whenever anything visible changes. */
  version(): number
  /** Calls back after every change of the version, until the returned function is called. */
  onChange(listener: () => void): () => void
  /**
   * The visible rows of a collection in the order of the pages, without their long texts.
   * @throws failure `unavailable`, worded as spec section 8 says
   */
  rows<Name extends Collection>(collection: Name): Promise<readonly Row<Name>[]>
  /** The long text of a visible row as safe HTML; null where there is none. */
  text(collection: LongTextCollection, id: string | number): Promise<string | null>
  /**
   * A valid row that nobody may see yet, a draft or one of the future, with its long text as safe
   * HTML; for previews alone. Null where no row has these values.
   */
  hidden<Name extends LongTextCollection>(
    collection: Name,
    values: Readonly<Record<string, string>>,
  ): Promise<{ row: Row<Name>; text: string | null } | null>
  /** A picture with what the media collection says of it; null for an empty id. */
  picture(id: string | null | undefined): Promise<Picture | null>
  /** A file of the content service; null where there is none. */
  asset(id: string): Promise<Original | null>
  /** The visible rows as they are stored, for the read API. */
  stored(collection: Collection): Promise<readonly Admitted[]>
  /** The long text of a row as it is stored. */
  storedText(collection: LongTextCollection, row: StoredRow): Promise<string | null>
  close(): Promise<void>
}

/** Completes a service that has no settings of ours, such as any other Directus, by those of the files. */
const withSettings = (reader: Reader, files: Reader): Reader => ({
  ...reader,
  async rows(collection) {
    const rows = await reader.rows(collection)
    return collection === 'settings' && rows.length === 0
      ? files.rows(collection).catch(() => rows)
      : rows
  },
  async close() {
    await Promise.all([reader.close(), files.close()])
  },
})

/** How many clean texts are kept in memory. */
const keptTexts = 300

/**
 * Opens the content service: the files of CONTENT_DIR, or the Directus at CONTENT_URL. Nothing is
 * read before somebody asks.
 * @param pace how often a Directus is asked, for tests
 */
export async function createContent({
  config,
  log,
  clock,
  pace,
}: {
  config: Pick<Config, 'content' | 'contentDir' | 'dataDir'>
  log: Logger
  clock: () => number
  pace?: Partial<Pace>
}): Promise<Content> {
  const listeners = new Set<() => void>()
  let version = 1
  const changed = () => {
    version += 1
    for (const listener of listeners) listener()
  }

  const files = createEmbedded({ dir: config.contentDir, log, changed })
  const reader: Reader = config.content
    ? withSettings(
        createDirectus({ ...config.content, dataDir: config.dataDir, log, changed, pace }),
        files,
      )
    : files
  const richText = createRichText({ contentUrl: config.content?.url ?? null })
  const admissions = createAdmissions({ reader, log, clock, finish: cleanFields, due: changed })
  const pictures = createPictures({ admissions, late: changed })
  const texts = new Map<string, { raw: string; media: unknown; html: string }>()

  async function cleanFields(collection: Collection, { rows }: Admission): Promise<void> {
    const fields = (richFields as Partial<Record<Collection, readonly string[]>>)[collection]
    if (!fields) return
    const { find } = await pictures()
    for (const row of rows as unknown as Record<string, unknown>[]) {
      for (const field of fields) {
        if (typeof row[field] === 'string') row[field] = await richText.clean(row[field], find)
      }
    }
  }

  return {
    version() {
      admissions.keepTime()
      return version
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    rows: async (collection) => (await admissions.of(collection)).rows,
    async text(collection, id) {
      const found = (await admissions.of(collection)).byId.get(String(id))
      const raw = found ? await reader.text(collection, found.stored) : null
      if (raw === null) return null
      const { source: media, find } = await pictures()
      const key = `${collection}/${id}`
      const known = texts.get(key)
      const isSame = known?.raw === raw && known.media === media
      const html = isSame ? known.html : await richText.clean(raw, find)
      texts.delete(key)
      texts.set(key, { raw, media, html })
      const [oldest] = texts.keys()
      if (texts.size > keptTexts && oldest !== undefined) texts.delete(oldest)
      return html
    },
    async hidden(collection, values) {
      const stored = (await reader.rows(collection)).find((each) =>
        Object.entries(values).every(([field, value]) => each[field] === value),
      )
      if (!stored) return null
      // As it will be once it is published, and now where no day is set.
      const published = {
        ...stored,
        status: 'published',
        published_at: stored.published_at ?? new Date(clock()).toISOString(),
      }
      const [found] = admit(collection, [published], { now: Infinity, log }).admitted
      if (!found) return null
      const [raw, { find }] = await Promise.all([reader.text(collection, stored), pictures()])
      return { row: found.row, text: raw === null ? null : await richText.clean(raw, find) }
    },
    async picture(given) {
      if (!given) return null
      const id = richText.assetId(given)
      const [{ find }, assetVersion] = await Promise.all([pictures(), reader.assetVersion(id)])
      return { ...find(id), version: assetVersion }
    },
    asset: (id) => reader.asset(id),
    stored: async (collection) => (await admissions.of(collection)).admitted,
    storedText: (collection, row) => reader.text(collection, row),
    async close() {
      admissions.close()
      listeners.clear()
      await reader.close()
    },
  }
}
