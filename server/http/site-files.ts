import type { Logger } from 'pino'
import { cacheFiles, type FileSet } from './cached-files.ts'
import type { CachedResponse } from './cached-response.ts'

/** The files beside the pages, such as feeds and lists for search engines. */
export type SiteFiles = {
  /** The file at an address; a promise of it when it has to be made first. Never rejects. */
  find(url: string): CachedResponse | undefined | Promise<CachedResponse | undefined>
  /** Makes anew what has been asked for, after a change of content. */
  renew(): void
  /** Makes a set anew by its name. @throws what its `make` throws */
  refresh(name: string): Promise<void>
}

/**
 * Keeps sets of files as finished replies.
 * @param options `headers` of every reply
 */
export function createSiteFiles(
  sets: readonly FileSet[],
  { headers, log }: { headers: Readonly<Record<string, string>>; log: Pick<Logger, 'warn'> },
): SiteFiles {
  const all = sets.map((set) => ({ set, cached: cacheFiles(set, { headers, log }) }))
  const byPath = new Map(
    all.flatMap(({ set, cached }) => set.paths.map((path) => [path, cached] as const)),
  )
  const open = all.filter(({ set }) => set.mayHave)
  return {
    find(url) {
      const query = url.indexOf('?')
      const path = query < 0 ? url : url.slice(0, query)
      const known = byPath.get(path) ?? open.find(({ set }) => set.mayHave!(path))?.cached
      return known?.find(path)
    },
    renew() {
      for (const { cached } of all) cached.renew()
    },
    async refresh(name) {
      const found = all.find(({ set }) => set.name === name)
      if (!found) throw new Error(`There is no set of files named ${name}.`)
      await found.cached.refresh()
    },
  }
}
