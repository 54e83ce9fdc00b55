import type { Logger } from 'pino'
import {
  collections,
  longTexts,
  richFields,
  type Collection,
  type LongTextCollection,
  type Picture,
  type Row,
} from '#shared/content.ts'
import type { Config } from '../config.ts'
import { createPublicationFilter } from './publication-filter.ts'
import { createDirectus } from './directus.ts'
import { createEmbedded } from './embedded.ts'
import { createPrefetch } from './prefetch.ts'
import { withTimeout } from '../timeout.ts'
import { createPictures } from './pictures.ts'
import type { Original, Reader, StoredRow, Outage } from './reader.ts'
import { createReferences } from './references.ts'
import { createRichText } from './rich-text.ts'
import { mapPictures, picturesOf } from './row-values.ts'
import { filterPublished, type Published, type PublishedRow } from './rows.ts'
import { withSettings } from './settings.ts'
import type { Pace } from './snapshots.ts'
import { createLongTexts } from './long-texts.ts'

/** The content service as the site's features see it: only what the public may see, checked and clean. */
export type Content = {
  /** Changes whenever anything visible changes. */
  version(): number
  /** Calls back after every change of the version, until the returned function is called. */
  onChange(listener: () => void): () => void
  /**
   * The visible rows of a collection in the order of the pages, without their long texts.
   * @throws failure `unavailable` with the message `API error: {status} {statusText}`
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
  /**
   * A file of the content service; null where there is none.
   * @param client whose turn it is when many wait, such as a client address
   */
  asset(id: string, client?: string): Promise<Original | null>
  /** The visible rows as they are stored, for the read API. */
  stored(collection: Collection): Promise<readonly PublishedRow[]>
  /** The long text of a row as it is stored. */
  storedText(collection: LongTextCollection, row: StoredRow): Promise<string | null>
  /** Origins of pictures that visible content takes from elsewhere, as far as it has been read. */
  pictureOrigins(): readonly string[]
  /** Since when and why content may be old; null while all is well. */
  outage(): Outage | null
  /** Asks the service now. @throws what it answers */
  examine(): Promise<void>
  /** Reads everything in the background, and fetches the files that it names. */
  prefetch(): void
  close(): Promise<void>
}

/** How long a file that no content is known to name waits for content to be read, in milliseconds. */
const surveyPatience = 2_000
/** Texts read at the same time by a survey. */
const textsAtOnce = 4

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
  /** Foreign origins that pages have been told of. */
  let told = ''
  const tell = () => {
    version += 1
    for (const listener of listeners) listener()
  }
  const changed = () => {
    surveyed = null
    tell()
    ahead.renew()
  }

  const files = createEmbedded({ dir: config.contentDir, log, clock, changed })
  const directus = config.content
    ? createDirectus({ ...config.content, dataDir: config.dataDir, log, clock, changed, pace })
    : null
  const reader: Reader = directus ? withSettings(directus, files, changed) : files
  const richText = createRichText({ contentUrls: config.content?.addresses ?? [] })
  const references = createReferences()
  const publication = createPublicationFilter({ reader, log, clock, finish, due: changed })
  const pictures = createPictures({ publication, late: changed })
  const texts = createLongTexts({ reader, richText, pictures, references })
  let surveyed: Promise<void> | null = null
  const ahead = createPrefetch({
    survey,
    ids: references.ids,
    async fetch(id) {
      if (directus && !(await directus.hasAsset(id))) {
        await directus.asset(id, { client: 'fetch ahead', named: true })
      }
    },
    log,
  })

  /** Completes the visible rows: pictures by their ids, rich fields safe. */
  async function finish(collection: Collection, { rows }: Published): Promise<void> {
    for (const row of rows) mapPictures(row, richText.assetId)
    const named = rows.flatMap(picturesOf)
    const fields = (richFields as Partial<Record<Collection, readonly string[]>>)[collection] ?? []
    if (fields.length > 0) {
      const { find } = await pictures()
      for (const row of rows as readonly Record<string, unknown>[]) {
        for (const field of fields) {
          if (typeof row[field] !== 'string') continue
          named.push(...richText.pictures(row[field]))
          row[field] = await richText.clean(row[field], find)
        }
      }
    }
    references.set(collection, named)
  }

  /** Reads all visible content once for each version, whatever of it can be read. */
  function survey(): Promise<void> {
    surveyed ??= (async () => {
      for (const collection of collections) {
        const rows = await publication.of(collection).then(
          ({ shown }) => shown,
          () => [],
        )
        if (!(collection in longTexts)) continue
        for (let at = 0; at < rows.length; at += textsAtOnce) {
          const some = rows.slice(at, at + textsAtOnce)
          await Promise.all(
            some.map(({ stored }) =>
              texts.note(collection as LongTextCollection, stored).catch(() => {}),
            ),
          )
        }
      }
      // Pages name them in their policy, also those that had been rendered before all was read.
      const origins = references.origins().join(' ')
      if (origins === told) return
      told = origins
      tell()
    })()
    return surveyed
  }

  /** Whether visible content names a file; waits for what has not been read yet. */
  async function isNamed(id: string): Promise<boolean> {
    if (!config.content?.token || references.has(id)) return true
    await withTimeout(survey(), surveyPatience).catch(() => {})
    return references.has(id)
  }

  return {
    version() {
      publication.keepTime()
      return version
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    rows: async (collection) => (await publication.of(collection)).rows,
    async text(collection, id) {
      const found = (await publication.of(collection)).byId.get(String(id))
      return found ? texts.safe(collection, found.stored) : null
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
      const [found] = filterPublished(collection, [published], { now: Infinity, log }).shown
      if (!found) return null
      mapPictures(found.row, richText.assetId)
      references.set(`hidden/${collection}/${String(stored.id)}`, picturesOf(found.row))
      return { row: found.row, text: await texts.safe(collection, stored) }
    },
    async picture(given) {
      if (!given) return null
      const id = richText.assetId(given)
      const [{ find }, assetVersion] = await Promise.all([pictures(), reader.assetVersion(id)])
      return { ...find(id), version: assetVersion }
    },
    asset: async (id, client = 'site') => reader.asset(id, { client, named: await isNamed(id) }),
    stored: async (collection) => (await publication.of(collection)).shown,
    storedText: (collection, row) => texts.stored(collection, row),
    pictureOrigins: references.origins,
    outage: reader.outage,
    examine: reader.examine,
    prefetch: ahead.start,
    async close() {
      await ahead.close()
      publication.close()
      listeners.clear()
      await reader.close()
    },
  }
}
