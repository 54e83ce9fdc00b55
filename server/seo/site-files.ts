import type { Context } from '../context.ts'
import type { CachedResponse } from '../http/cached-response.ts'
import { feedFiles } from './feed.ts'
import { keepFiles } from '../http/kept-files.ts'
import { iconFiles, shareFiles } from './picture-files.ts'
import { createSitemap, isSitemapPart, type Sitemap } from './sitemap.ts'
import { robotsFile, textFiles } from './text-files.ts'

/** What the site says to machines, beside its pages. */
export type SiteFiles = {
  /** The file at an address; a promise of it when it has to be made first. Never rejects. */
  find(url: string): CachedResponse | undefined | Promise<CachedResponse | undefined>
  /** Makes anew what has been asked for, after a change of content. */
  renew(): void
  readonly sitemap: Sitemap
}

/**
 * Makes the files of the site: feed, sitemap, robots.txt, icons and so on.
 * @param headers what every reply carries
 */
export function createSiteFiles(
  context: Pick<Context, 'config' | 'content' | 'clock' | 'log' | 'siteVersion' | 'contributions'>,
  headers: Readonly<Record<string, string>>,
): SiteFiles {
  const { config, content, clock, log, siteVersion, contributions } = context
  const { siteUrl, dataDir } = config
  const sitemap = createSitemap({
    content,
    version: siteVersion.version,
    more: contributions().sitemap,
    clock,
    log,
    siteUrl,
    dataDir,
    headers,
  })
  const sets = [
    sitemap.files,
    ...[
      feedFiles({ content, clock, siteUrl }),
      robotsFile({ siteUrl }),
      textFiles({ content, clock, siteUrl }),
      shareFiles({ content, log }),
      iconFiles(),
      ...contributions().files,
    ].map((set) => keepFiles(set, { headers, log })),
  ]
  const byPath = new Map(sets.flatMap((set) => set.paths.map((path) => [path, set] as const)))
  return {
    sitemap,
    find(url) {
      const query = url.indexOf('?')
      const path = query < 0 ? url : url.slice(0, query)
      const set = byPath.get(path) ?? (isSitemapPart(path) ? sitemap.files : undefined)
      return set?.find(path)
    },
    renew() {
      for (const set of sets) set.renew()
    },
  }
}
