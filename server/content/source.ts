import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import {
  richFields,
  type Collection,
  type LongTextCollection,
  type Picture,
  type Row,
} from '#shared/content.ts'
import type { Config } from '../config.ts'
import { createDirectus } from './directus.ts'
import { createEmbedded } from './embedded.ts'
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

/** How many clean texts are kept in memory. */
const keptTexts = 300
/** How long a picture waits for its alternative text, the very first time; milliseconds. */
const mediaPatience = 2_000
const longestTimer = 2 ** 31 - 1

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
  const admissions = new Map<Collection, { stored: readonly StoredRow[]; admission: Admission }>()
  const texts = new Map<string, { raw: string; media: unknown; html: string }>()
  const richText = createRichText({ contentUrl: config.content?.url ?? null })
  let version = 1
  /** When the next scheduled row becomes visible. */
  let nextAt = Infinity
  let alarm: NodeJS.Timeout | undefined

  const changed = () => {
    version += 1
    for (const listener of listeners) listener()
  }
  const reader: Reader = config.content
    ? createDirectus({ ...config.content, dataDir: config.dataDir, log, changed, pace })
    : createEmbedded({ dir: config.contentDir, log, changed })

  /** Lets scheduled rows out in the moment that they are due. */
  const keepTime = () => {
    const now = clock()
    if (now >= nextAt) {
      nextAt = Infinity
      for (const [collection, { admission }] of admissions) {
        if (now >= admission.nextAt) admissions.delete(collection)
        else nextAt = Math.min(nextAt, admission.nextAt)
      }
      changed()
    }
    clearTimeout(alarm)
    if (nextAt === Infinity) return
    alarm = setTimeout(keepTime, Math.min(Math.max(nextAt - now, 100), longestTimer)).unref()
  }

  async function admissionOf<Name extends Collection>(collection: Name): Promise<Admission<Name>> {
    const stored = await reader.rows(collection)
    if (clock() >= nextAt) keepTime()
    const known = admissions.get(collection)
    if (known?.stored === stored) return known.admission as Admission<Name>
    const admission = admit(collection, stored, { now: clock(), log })
    await cleanFields(collection, admission)
    admissions.set(collection, { stored, admission })
    if (admission.nextAt < nextAt) {
      nextAt = admission.nextAt
      keepTime()
    }
    return admission
  }

  async function cleanFields(collection: Collection, { rows }: Admission): Promise<void> {
    const fields = (richFields as Partial<Record<Collection, readonly string[]>>)[collection]
    if (!fields) return
    const { find } = await pictures()
    for (const row of rows as unknown as Record<string, unknown>[]) {
      for (const field of fields) {
        if (typeof row[field] === 'string') row[field] = richText.clean(row[field], find)
      }
    }
  }

  let index: { rows: unknown; byId: Map<string, Row<'media'>> } | null = null
  /** What the media collection knows; nothing when it cannot be read, since a picture shows without it. */
  async function pictures() {
    const reading = admissionOf('media').then(
      ({ rows: known }) => known,
      () => [],
    )
    let rows: readonly Row<'media'>[]
    if (admissions.has('media')) rows = await reading
    else {
      const first = await Promise.race([reading, delay(mediaPatience, null, { ref: false })])
      if (!first) void reading.then(changed)
      rows = first ?? []
    }
    if (index?.rows !== rows)
      index = { rows, byId: new Map(rows.map((row) => [String(row.id), row])) }
    const { byId } = index
    const find = (id: string): Picture => describe(id, byId.get(id))
    return { rows, find }
  }

  return {
    version() {
      if (clock() >= nextAt) keepTime()
      return version
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    rows: async (collection) => (await admissionOf(collection)).rows,
    async text(collection, id) {
      const { admitted } = await admissionOf(collection)
      const found = admitted.find(({ row }) => String(row.id) === String(id))
      const raw = found ? await reader.text(collection, found.stored) : null
      if (raw === null) return null
      const { rows: media, find } = await pictures()
      const key = `${collection}/${id}`
      const known = texts.get(key)
      const html =
        known?.raw === raw && known.media === media ? known.html : richText.clean(raw, find)
      texts.delete(key)
      texts.set(key, { raw, media, html })
      for (const oldest of texts.keys()) {
        if (texts.size <= keptTexts) break
        texts.delete(oldest)
      }
      return html
    },
    async picture(given) {
      if (!given) return null
      const id = richText.assetId(given)
      const [{ find }, assetVersion] = await Promise.all([pictures(), reader.assetVersion(id)])
      return { ...find(id), version: assetVersion }
    },
    asset: (id) => reader.asset(id),
    stored: async (collection) => (await admissionOf(collection)).admitted,
    storedText: (collection, row) => reader.text(collection, row),
    async close() {
      clearTimeout(alarm)
      listeners.clear()
      await reader.close()
    },
  }
}

function describe(id: string, media: Row<'media'> | undefined): Picture {
  const { width = null, height = null } = media ?? {}
  return {
    id,
    alt: media?.alt ?? '',
    width,
    height,
    focal: [fraction(media?.focal_x, width), fraction(media?.focal_y, height)],
  }
}

/** A focal point is stored as a fraction, or in pixels as Directus does; the middle where unknown. */
function fraction(value: number | null | undefined, size: number | null): number {
  if (value === null || value === undefined) return 0.5
  const part = value <= 1 ? value : size ? value / size : 0.5
  return Math.min(Math.max(part, 0), 1)
}
