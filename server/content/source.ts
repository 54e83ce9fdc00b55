import type { Logger } from 'pino'
import type { Picture } from '#shared/content.ts'
import { isAddress } from '#shared/images.ts'
import { collections, type Collection, type LongTextCollection, type Row } from '../collections.ts'
import type { Config } from '../config.ts'
import { withTimeout } from '../concurrency/timeout.ts'
import { createFileAddresses } from './addresses.ts'
import type { StoredRow } from './collection.ts'
import { createDirectus } from './directus/directus.ts'
import { defaultTiming, type Timing } from './directus/timing.ts'
import { createEmbedded } from './files/embedded.ts'
import { createLongTexts, createRowCompletion } from './published/clean-rows.ts'
import { createHiddenRows, type FindHidden } from './published/hidden-rows.ts'
import { createPictures } from './published/pictures.ts'
import { createPrefetch, createContentScan } from './published/prefetch.ts'
import { createPublicationFilter } from './published/publication-filter.ts'
import { createReferences, isFileId } from './published/referenced-files.ts'
import { createRichTextCleaner } from './published/rich-text.ts'
import type { PublishedRow } from './published/rows.ts'
import type { FileDescription, Original, Reader, Outage } from './reader.ts'
import { withSettings } from './settings.ts'

/** Content as features see it: only what is public, validated and sanitised. */
export type Content = {
  /** Changes whenever visible content changes. */
  version(): number
  /** Subscribes to changes of the version. @returns unsubscribes */
  onChange(listener: () => void): () => void
  /**
   * The visible rows of a collection in page order, without long texts.
   * @throws failure `unavailable` with the message `API error: {status} {statusText}`
   */
  rows<Name extends Collection>(collection: Name): Promise<readonly Row<Name>[]>
  /** The long text of a visible row as safe HTML; null for none. */
  text(collection: LongTextCollection, id: string | number): Promise<string | null>
  /** Rows that aren't public yet; only for previews. */
  hidden: FindHidden
  /** A picture with its description; null for an empty id, and for a file that isn't there. */
  picture(id: string | null | undefined): Promise<Picture | null>
  /**
   * A file of the content service; null for none.
   * @param client for fair queueing, such as a client address
   */
  asset(id: string, client?: string): Promise<Original | null>
  /** The visible rows as they are stored, for the read API. */
  stored(collection: Collection): Promise<readonly PublishedRow[]>
  /** The long text of a row as it is stored. */
  storedText(collection: LongTextCollection, row: StoredRow): Promise<string | null>
  /** Origins of external pictures in visible content, as far as it has been read. */
  pictureOrigins(): readonly string[]
  /** Since when and why content may be stale; null while the source is up. */
  outage(): Outage | null
  /** Since when and why pages lack something that the service hides; null for nothing. */
  lack(): Outage | null
  /** Queries the source now. @throws what it answers */
  examine(): Promise<void>
  /**
   * Reads the rows of every collection, so that the first page doesn't have to. What can't be read is
   * left to whoever asks for it.
   */
  readRows(): Promise<void>
  /** Reads all content in the background and fetches the files it names. */
  prefetch(): void
  close(): Promise<void>
}

/** Milliseconds that a file which no content is known to name waits for the content scan. */
const scanTimeout = 2_000

type Options = {
  config: Pick<Config, 'content' | 'contentDir' | 'dataDir'>
  log: Logger
  clock: () => number
  /** Pictures on public pages that no content names, such as those of products. */
  pictures: () => readonly string[]
  /** Overrides for tests. */
  timing?: Partial<Timing>
}

/**
 * Opens the content: the files in CONTENT_DIR, or the Directus at CONTENT_URL. Nothing is read before
 * it is asked for.
 */
export async function createContent(options: Options): Promise<Content> {
  const version = createVersion()
  const { reader, addresses, references, publication, pictures, texts, hidden, scan, ahead } =
    createParts(options, version)

  /** Whether public pages name a file; waits for content that hasn't been read yet. */
  async function isNamed(id: string): Promise<boolean> {
    if (!options.config.content?.token || references.has(id)) return true
    if (options.pictures().some((given) => addresses.assetId(given) === id)) return true
    await withTimeout(scan.complete(), scanTimeout).catch(() => {})
    return references.has(id)
  }

  return {
    version() {
      publication.releaseDue()
      return version.current()
    },
    onChange: version.onChange,
    rows: async (collection) => (await publication.of(collection)).rows,
    async text(collection, id) {
      const found = (await publication.of(collection)).byId.get(String(id))
      return found ? texts.safe(collection, found.stored) : null
    },
    hidden,
    async picture(given) {
      if (!given) return null
      const id = addresses.assetId(given)
      if (!isAddress(id) && (!isFileId(id) || (await reader.lacks?.(id)))) return null
      const [{ find }, assetVersion] = await Promise.all([pictures(), reader.assetVersion(id)])
      return { ...find(id), version: assetVersion }
    },
    asset: async (id, client = 'site') => reader.asset(id, { client, named: await isNamed(id) }),
    stored: async (collection) => (await publication.of(collection)).shown,
    storedText: (collection, row) => texts.stored(collection, row),
    pictureOrigins: references.origins,
    outage: reader.outage,
    lack: () => reader.lack?.() ?? null,
    examine: reader.examine,
    async readRows() {
      await Promise.allSettled(collections.map((collection) => publication.of(collection)))
    },
    prefetch: ahead.start,
    async close() {
      await ahead.close()
      publication.close()
      version.forgetListeners()
      await reader.close()
    },
  }
}

/** Creates the version counter. */
function createVersion() {
  const listeners = new Set<() => void>()
  let version = 1
  return {
    current: () => version,
    next(): void {
      version += 1
      for (const listener of listeners) listener()
    },
    onChange(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    forgetListeners: () => listeners.clear(),
  }
}

/** Creates the parts between source and features; each of them may detect a change. */
function createParts(
  { config, log, clock, timing, pictures: shown }: Options,
  version: ReturnType<typeof createVersion>,
) {
  const changed = () => {
    scan.renew()
    version.next()
    ahead.renew()
  }

  const files = createEmbedded({ dir: config.contentDir, log, clock, changed })
  const directus = config.content
    ? createDirectus({ ...config.content, dataDir: config.dataDir, log, clock, changed, timing })
    : null
  const wait = timing?.settings ?? defaultTiming.settings
  const reader: Reader = directus ? withSettings(directus, files, changed, wait) : files
  const addresses = createFileAddresses(config.content?.addresses ?? [])
  const clean = createRichTextCleaner(addresses)
  const references = createReferences()
  const finish = createRowCompletion({ addresses, clean, pictures: () => pictures(), references })
  const publication = createPublicationFilter({ reader, log, clock, finish, due: changed })
  const none: readonly FileDescription[] = []
  const pictures = createPictures({
    publication,
    fileDescriptions: async () => (await reader.fileDescriptions?.()) ?? none,
    late: changed,
  })
  const texts = createLongTexts({ reader, clean, pictures, references })
  const hidden = createHiddenRows({ reader, addresses, texts, references, log, clock })
  const scan = createContentScan({ publication, texts, references, newOrigins: version.next })
  const ahead = createPrefetch({
    scan: scan.complete,
    ids: () => new Set([...references.ids(), ...shown().map(addresses.assetId).filter(isFileId)]),
    async fetch(id) {
      if (directus && !(await directus.hasAsset(id))) {
        await directus.asset(id, { client: 'fetch ahead', named: true })
      }
    },
    log,
  })
  return { reader, addresses, references, publication, pictures, texts, hidden, scan, ahead }
}
