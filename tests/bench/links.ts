import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '#server/db/open.ts'
import { createLinkStore } from '#server/links/store.ts'
import { compare, requestsPerSecond, startPinned } from './load.ts'
import type { StartSite } from './main.ts'

const total = 1_000_000
/** What browsers send, so clicks count as people with all their statistics. */
const headers = {
  'User-Agent':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  Referer: 'https://www.example.org/some/page',
}

/**
 * Redirects per second out of a million links with statistics on, against bare node:http that
 * answers a 302: one popular link, a thousand of them, and all evenly, where every click is another
 * row to write.
 */
export async function linkRedirects({ startSite, work }: { startSite: StartSite; work: string }) {
  const dataDir = mkdtempSync(join(work, 'links-'))
  await fill(dataDir)
  const site = await startSite({ DATA_DIR: dataDir, SITE_URL: 'http://bench.example' })
  const bare = await startPinned(join(import.meta.dirname, 'bare-redirect.ts'))
  const drawnFrom = (many: number) => {
    const script = join(work, `links-${many}.lua`)
    const line = `request = function() return wrk.format("GET", "/l/k" .. math.random(1, ${many})) end`
    writeFileSync(script, `${line}\n`)
    return script
  }
  const [few, all] = [drawnFrom(1000), drawnFrom(total)]
  const results = await compare({
    bare: () => requestsPerSecond(`${bare.url}/l/k77`, { headers }),
    one: () => requestsPerSecond(`${site.url}/l/k77`, { headers }),
    bareDrawn: () => requestsPerSecond(bare.url, { headers, script: few }),
    thousand: () => requestsPerSecond(site.url, { headers, script: few }),
    million: () => requestsPerSecond(site.url, { headers, script: all }),
  })
  await Promise.all([site.stop(), bare.stop()])
  return results
}

async function fill(dataDir: string): Promise<void> {
  const db = openDatabase(dataDir)
  const store = createLinkStore(db)
  await db.commit((tx) => {
    for (let n = 1; n <= total; n += 1) {
      store.insert(tx, {
        code: `k${n}`,
        target: `http://127.0.0.1:9/race/${n}`,
        note: '',
        clientId: null,
        author: 'bench',
        createdAt: 0,
        startsAt: null,
        expiresAt: null,
        maxClicks: null,
        disabledAt: null,
        forwardQuery: false,
        utm: null,
        tags: [],
        password: null,
      })
    }
  })
  await db.close()
}
