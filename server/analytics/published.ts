import { readingAt, type ReadKind } from '#shared/analytics/page-kinds.ts'
import type { SearchSource } from '../contributions/search-source.ts'

/** How long a list of what is published is used without a look whether it is still so, in milliseconds. */
const freshMs = 60_000

/** Which articles, services, cases and products are published, and how they are called. */
export type PublishedPages = ReturnType<typeof createPublishedPages>

/**
 * Knows what is published, from what the search may find. Private pages and made-up addresses are not
 * counted by name.
 * @param version changes with what is published
 */
export function createPublishedPages({
  sources,
  version,
}: {
  sources: () => readonly SearchSource[]
  version: () => number
}) {
  let titles: ReadonlyMap<string, string> | null = null
  let known = { version: -1, at: 0 }
  let reading: Promise<ReadonlyMap<string, string>> | null = null

  const read = async (): Promise<ReadonlyMap<string, string>> => {
    const now = { version: version(), at: performance.now() }
    // A source that can't be read now takes only its own names with it, until the next look.
    const found = await Promise.allSettled(sources().map((source) => source.read()))
    const documents = found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
    titles = new Map(
      documents.flatMap(({ path, title }) => {
        const reads = readingAt(path)
        return reads ? [[keyOf(reads.kind, reads.slug), title] as const] : []
      }),
    )
    known = now
    return titles
  }

  const current = async (): Promise<ReadonlyMap<string, string>> => {
    if (titles && known.version === version() && performance.now() - known.at < freshMs) {
      return titles
    }
    reading ??= read().finally(() => (reading = null))
    return reading
  }

  return {
    /** The title of a published page; null for any other slug. */
    title: async (kind: ReadKind, slug: string): Promise<string | null> =>
      (await current()).get(keyOf(kind, slug)) ?? null,
  }
}

const keyOf = (kind: ReadKind, slug: string): string => `${kind} ${slug}`
