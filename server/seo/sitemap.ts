import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hourMs } from '#shared/dates/durations.ts'
import { failure } from '#shared/failures.ts'
import { withTimeout } from '../concurrency/timeout.ts'
import type { Platform } from '../feature.ts'
import type { Draft, Drafts, FileSet } from '../http/replies/cached-files.ts'
import { mergeEntries, sitemapDocuments } from './sitemap-entries.ts'

/**
 * How long a sitemap counts as new while no content changes
 * (docs/contract.md, Limits and constants).
 */
const renewMs = 6 * hourMs

/** How long a request waits for a run, which then goes on by itself; milliseconds. */
const generateTimeout = 9_000

/** What a run of the generator says. */
type SitemapReport = {
  /** ISO time of the run that made the current sitemap. */
  generatedAt: string
  /** Addresses in it. */
  urls: number
  /** True when there was nothing to do. */
  cached: boolean
}

/** The sitemap: its files, and the generator that pages and staff may start. */
export type Sitemap = {
  files: FileSet
  /**
   * Makes the sitemap unless the current one is still good.
   * @param options `force` makes it in any case; `refresh` makes the files, for servers that keep
   *   them as replies, too
   * @throws failure `unavailable`; the old files stay
   */
  generate(options?: { force?: boolean; refresh?: () => Promise<void> }): Promise<SitemapReport>
}

/** Whether a path would be a part of a sitemap with more addresses than one may hold. */
const isSitemapPart = (path: string): boolean =>
  path.startsWith('/sitemap-') && /^\/sitemap-[1-9]\d{0,4}\.xml$/.test(path)

type State = { generatedAt: number; urls: number; hash: string }

/**
 * Makes the sitemap, with its files and the time of their making in DATA_DIR, so both
 * survive a restart and a content service that is down.
 */
export function createSitemap({
  config,
  clock,
  contributions,
  log,
  siteVersion,
}: Pick<Platform, 'config' | 'clock' | 'contributions' | 'log' | 'siteVersion'>): Sitemap {
  const folder = join(config.dataDir, 'cache/sitemap')
  let state: State | null = null
  let loaded: Promise<void> | null = null
  let madeFor: string | null = null
  let forced = false
  const load = () => (loaded ??= readState(folder).then((read) => void (state ??= read)))
  const isNew = (known: State) => Math.abs(clock() - known.generatedAt) < renewMs
  const contentVersion = () => String(siteVersion.version())

  async function make(): Promise<Drafts> {
    await load()
    const version = contentVersion()
    const { pages, sitemap } = contributions()
    const entries = mergeEntries(pages, await sitemap())
    const documents = await sitemapDocuments(entries, config.siteUrl)
    const hash = hashOf(documents)
    const same = !forced && state?.hash === hash && isNew(state)
    if (!same) {
      state = { generatedAt: clock(), urls: entries.length, hash }
      await keep(folder, documents, state).catch((err: unknown) =>
        log.warn({ err }, 'sitemap not saved'),
      )
    }
    madeFor = version
    return draftsOf(documents)
  }

  return {
    files: {
      name: 'sitemap',
      paths: ['/sitemap.xml'],
      mayHave: isSitemapPart,
      version: contentVersion,
      make,
      async fallback() {
        const old = await readDocuments(folder)
        if (old.size > 0) return draftsOf(old)
        return draftsOf(
          await sitemapDocuments(mergeEntries(contributions().pages, []), config.siteUrl),
        )
      },
    },
    async generate({ force = false, refresh = async () => void (await make()) } = {}) {
      await load()
      const before = state
      if (force || !before || madeFor !== contentVersion() || !isNew(before)) {
        forced = force
        try {
          await withTimeout(refresh(), generateTimeout)
        } catch (cause) {
          throw notNow(cause)
        } finally {
          forced = false
        }
      }
      const { generatedAt, urls } = state!
      return {
        generatedAt: new Date(generatedAt).toISOString(),
        urls,
        cached: before !== null && before.generatedAt === generatedAt,
      }
    },
  }
}

const notNow = (cause: unknown) =>
  failure('unavailable', {
    message: 'The sitemap could not be built; serving the previous one.',
    retryAfter: 60,
    cause,
  })

const hashOf = (documents: ReadonlyMap<string, string>): string =>
  createHash('sha256')
    .update([...documents].flat().join('\n'))
    .digest('base64url')

function draftsOf(documents: ReadonlyMap<string, string>): Drafts {
  return new Map(
    [...documents].map(([path, body]): [string, Draft] => [
      path,
      {
        type: 'application/xml; charset=utf-8',
        body,
        cacheControl: 'public, max-age=0, s-maxage=60, stale-while-revalidate=600',
      },
    ]),
  )
}

async function readState(folder: string): Promise<State | null> {
  const text = await readFile(join(folder, 'state.json'), 'utf8').catch(() => null)
  try {
    const read = JSON.parse(text ?? 'null') as State | null
    return Number.isFinite(read?.generatedAt) && Number.isFinite(read?.urls) ? read : null
  } catch {
    return null
  }
}

async function readDocuments(folder: string): Promise<Map<string, string>> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.xml'))
  const read = names.map(
    async (name) => [`/${name}`, await readFile(join(folder, name), 'utf8')] as const,
  )
  return new Map(await Promise.all(read))
}

/** Every file appears whole, the state after all of them. */
async function keep(folder: string, documents: ReadonlyMap<string, string>, state: State) {
  await mkdir(folder, { recursive: true })
  const write = async (name: string, text: string) => {
    const half = join(folder, `${name}.${process.pid}.tmp`)
    await writeFile(half, text)
    await rename(half, join(folder, name))
  }
  for (const [path, body] of documents) await write(path.slice(1), body)
  await write('state.json', `${JSON.stringify(state)}\n`)
  for (const name of await readdir(folder)) {
    if (name.endsWith('.xml') && !documents.has(`/${name}`)) await rm(join(folder, name))
  }
}
