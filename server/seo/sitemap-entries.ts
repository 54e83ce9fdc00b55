import { eachInTurns } from '../concurrency/in-turns.ts'
import { xml, type Markup } from '../text/markup.ts'
import { newestOf, sitemapEntry, type SitemapEntry } from '../contributions/sitemap-entry.ts'

/**
 * Brings what features say of pages to one entry for each. Several may speak of the same one, such
 * as the home page: it changed with the last of them, and has the first picture.
 * @param pages paths of pages that there always are
 * @param entries what is known of them and of others
 */
export function mergeEntries(
  pages: readonly string[],
  entries: readonly SitemapEntry[],
): SitemapEntry[] {
  const byPath = new Map<string, SitemapEntry>()
  for (const entry of [...pages.map((path) => sitemapEntry(path)), ...entries]) {
    const known = byPath.get(entry.path)
    byPath.set(entry.path, {
      path: entry.path,
      modifiedAt: newestOf([known?.modifiedAt ?? null, entry.modifiedAt]),
      image: known?.image ?? entry.image,
    })
  }
  return [...byPath.values()]
}

/** Most addresses in a sitemap (sitemaps.org). */
const maxAddresses = 50_000

/**
 * The sitemap as files by path: one, or an index with parts where there are more addresses than
 * one may hold.
 */
export async function sitemapDocuments(
  entries: readonly SitemapEntry[],
  siteUrl: string,
): Promise<Map<string, string>> {
  const documents = new Map<string, string>()
  if (entries.length <= maxAddresses) {
    documents.set('/sitemap.xml', await urlSet(entries, siteUrl))
    return documents
  }
  const parts: Markup[] = []
  for (let at = 0; at < entries.length; at += maxAddresses) {
    const part = entries.slice(at, at + maxAddresses)
    const path = `/sitemap-${parts.length + 1}.xml`
    documents.set(path, await urlSet(part, siteUrl))
    const modifiedAt = newestOf(part.map((each) => each.modifiedAt))
    parts.push(xml`<sitemap><loc>${siteUrl + path}</loc>${lastmod(modifiedAt)}</sitemap>\n`)
  }
  const index = xml`<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${parts}</sitemapindex>
`
  documents.set('/sitemap.xml', declaration + index.markup)
  return documents
}

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'

async function urlSet(entries: readonly SitemapEntry[], siteUrl: string): Promise<string> {
  const urls: Markup[] = []
  await eachInTurns(entries, ({ path, modifiedAt, image }) => {
    urls.push(
      xml`<url><loc>${siteUrl + path}</loc>${lastmod(modifiedAt)}${
        image ? xml`<image:image><image:loc>${siteUrl + image}</image:loc></image:image>` : null
      }</url>\n`,
    )
  })
  const set = xml`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
${urls}</urlset>
`
  return declaration + set.markup
}

const lastmod = (at: number | null): Markup | null =>
  at === null ? null : xml`<lastmod>${new Date(at).toISOString()}</lastmod>`
