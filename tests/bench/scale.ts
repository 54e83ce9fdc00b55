import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StartSite } from './main.ts'
import { sideBySide } from './side-by-side.ts'

/** How many there are of what grows. */
const many = { news: 10_000, portfolio: 2_000 }
/** What is asked for, by name; the article and the term are there on both sites. */
const addresses = {
  'news list': '/news',
  'second page of the news': '/news?page=2',
  article: '/news/forty-eight-hours-at-kymiring',
  portfolio: '/portfolio',
  search: '/search?q=kymiring',
  RSS: '/news/rss.xml',
  sitemap: '/sitemap.xml',
}

/**
 * Milliseconds of a reply on a site with ten thousand articles and on the sample site: pages are
 * rendered again each time, files come as visitors get them.
 */
export async function scale({ startSite, work }: { startSite: StartSite; work: string }) {
  const sample = join(import.meta.dirname, '../../data/content')
  const large = mkdtempSync(join(work, 'content-'))
  cpSync(sample, large, { recursive: true })
  for (const [name, count] of Object.entries(many)) multiply(join(large, `${name}.json`), count)
  const sites = [
    await startSite({ KEEP: '0', UNLIMITED: '1', CONTENT_DIR: sample }),
    await startSite({ KEEP: '0', UNLIMITED: '1', CONTENT_DIR: large }),
  ] as const
  const results = await sideBySide(sites, addresses)
  await Promise.all(sites.map(({ stop }) => stop()))
  return results
}

/** Repeats the rows of a file under other ids, slugs and dates, the newest first. */
function multiply(file: string, count: number): void {
  const rows = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>[]
  const grown = Array.from({ length: count - rows.length }, (_, index) => {
    const row = rows[index % rows.length]!
    const day = new Date(Date.UTC(2020, 0, 1) + index * 3_600_000).toISOString()
    return {
      ...row,
      id: 1000 + index,
      slug: `${String(row.slug)}-${index}`,
      title: `${String(row.title)} ${index}`,
      ...('published_at' in row && { published_at: day }),
    }
  })
  writeFileSync(file, JSON.stringify([...rows, ...grown]))
}
