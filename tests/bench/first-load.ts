import { maxFirstLoad, firstLoads } from '../support/first-load.ts'
import { publicPages } from '../support/public-pages.ts'
import type { StartSite } from './main.ts'

/** What the first load of each public page weighs, in lines to print; those with the most code first. */
export async function firstLoadBytes({ startSite }: { startSite: StartSite }): Promise<string[]> {
  const site = await startSite()
  const firstLoad = firstLoads(site.url)
  const pages = []
  for (const path of await publicPages(site.url)) pages.push({ path, ...(await firstLoad(path)) })
  await site.stop()
  const kB = (bytes: number) => (bytes / 1000).toFixed(2)
  const { scripts: maxScripts, styles: maxStyles } = maxFirstLoad
  return pages
    .toSorted((a, b) => b.scripts - a.scripts)
    .map(
      ({ path, html, scripts, styles }) =>
        `first load of ${path}: ${kB(scripts)} kB of JavaScript (<= ${maxScripts / 1000}), ` +
        `${kB(styles)} kB of CSS (<= ${maxStyles / 1000}), ${kB(html)} kB of HTML, brotli`,
    )
}
