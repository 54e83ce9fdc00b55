import type { Logger } from 'pino'
import type { Picture } from '#shared/content.ts'
import type { Collection, LongTextCollection, Row } from '../collections.ts'
import type { Config } from '../config.ts'
import { createDirectus } from './directus.ts'
import { createHiddenRows, type FindHidden } from './hidden-rows.ts'
import { createEmbedded } from './embedded.ts'
import { createFileAddresses } from './file-addresses.ts'
import { createLongTexts } from './long-texts.ts'
import { createPictures } from './pictures.ts'
import { createPrefetch } from './prefetch.ts'
import { createPublicationFilter } from './publication-filter.ts'
import type { Original, Reader, Outage } from './reader.ts'
import type { StoredRow } from './stored-row.ts'
import { createReferences } from './references.ts'
import { createRichTextCleaner } from './rich-text.ts'
import { createRowCompletion } from './row-completion.ts'
import type { PublishedRow } from './rows.ts'
import { withSettings } from './settings.ts'
import type { Pace } from './pace.ts'
import { createSurvey } from './survey.ts'
import { withTimeout } from '../timeout.ts'

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
  /** Rows that are not public yet, only for previews. */
  hidden: FindHidden
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
const surveyTimeout = 2_000

type Options = {
  config: Pick<Config, 'content' | 'contentDir' | 'dataDir'>
  log: Logger
  clock: () => number
  /** How often a Directus is asked, for tests. */
  pace?: Partial<Pace>
}

/**
 * Opens the content service: the files of CONTENT_DIR, or the Directus at CONTENT_URL. Nothing is
 * read ahead of the first request.
 */
export async function createContent(options: Options): Promise<Content> {
  const version = createVersion()
  const { reader, addresses, references, publication, pictures, texts, hidden, survey, ahead } =
    createParts(options, version)

  /** Whether visible content names a file; waits for what has not been read yet. */
  async function isNamed(id: string): Promise<boolean> {
    if (!options.config.content?.token || references.has(id)) return true
    await withTimeout(survey.complete(), surveyTimeout).catch(() => {})
    return references.has(id)
  }

  return {
    version() {
      publication.keepTime()
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
      version.forgetListeners()
      await reader.close()
    },
  }
}

/** Makes the number that tells one state of the content from the next. */
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

/** Makes what stands between the service and the site's features, each of which may find a change. */
function createParts(
  { config, log, clock, pace }: Options,
  version: ReturnType<typeof createVersion>,
) {
  const changed = () => {
    survey.renew()
    version.next()
    ahead.renew()
  }

  const files = createEmbedded({ dir: config.contentDir, log, clock, changed })
  const directus = config.content
    ? createDirectus({ ...config.content, dataDir: config.dataDir, log, clock, changed, pace })
    : null
  const reader: Reader = directus ? withSettings(directus, files, changed) : files
  const addresses = createFileAddresses(config.content?.addresses ?? [])
  const clean = createRichTextCleaner(addresses)
  const references = createReferences()
  const finish = createRowCompletion({ addresses, clean, pictures: () => pictures(), references })
  const publication = createPublicationFilter({ reader, log, clock, finish, due: changed })
  const pictures = createPictures({ publication, late: changed })
  const texts = createLongTexts({ reader, clean, pictures, references })
  const hidden = createHiddenRows({ reader, addresses, texts, references, log, clock })
  const survey = createSurvey({ publication, texts, references, newOrigins: version.next })
  const ahead = createPrefetch({
    survey: survey.complete,
    ids: references.ids,
    async fetch(id) {
      if (directus && !(await directus.hasAsset(id))) {
        await directus.asset(id, { client: 'fetch ahead', named: true })
      }
    },
    log,
  })
  return { reader, addresses, references, publication, pictures, texts, hidden, survey, ahead }
}
