import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { buildIfMissing } from '#server/build.ts'
import {
  compare,
  requestsPerSecond,
  startEnvironment,
  startOptions,
  startPinned,
  type Target,
} from './load.ts'
import { folders } from './folders.ts'
import { firstLoadBytes } from './first-load.ts'
import { firstByte } from './first-byte.ts'
import { ticketSaves } from './ticket-saves.ts'
import { linkRedirects } from './links.ts'
import { checkoutsPerSecond, productList } from './shop.ts'
import { coldStart } from './cold-start.ts'
import { commandLine } from './command-line.ts'
import { plainBundle } from './plain-bundle.ts'
import { memory } from './memory.ts'
import { mixedLoad } from './mixed.ts'
import { deskOfYears } from './desk.ts'
import { scale } from './scale.ts'
import { availabilityPerSecond, bookingMonths } from './bookings.ts'
import { bookingSaves } from './booking-saves.ts'
import { eventLists } from './events.ts'
import { fetchRaw, startBare } from './same-bytes.ts'

/**
 * `npm run bench`: every number of the speed targets, as a ratio to a yardstick in the same run.
 * Servers run on one core, the load comes from the other. `npm run bench -- pages` runs one part.
 */
const here = import.meta.dirname
const work = mkdtempSync(join(tmpdir(), 'pitlane-bench-'))
const parts: Record<string, () => Promise<void>> = {
  async pages() {
    const site = await startSite()
    const home = `${site.url}/`
    // What runs for weeks is not measured in its first seconds, while V8 compiles it, and while the
    // home page is still made again because the catalogue has just come.
    await requestsPerSecond(home, { seconds: 5 })
    while (!(await fetchRaw(home)).headers.ETag) await setTimeout(50)
    const bodies = {
      identity: await fetchRaw(home),
      brotli: await fetchRaw(home, { 'Accept-Encoding': 'br' }),
    }
    const servers = {
      'bare identity': await startBare(work, bodies.identity),
      'bare brotli': await startBare(work, bodies.brotli),
      'Express identity': await startBare(work, bodies.identity, 'express-bytes.ts'),
      'Express brotli': await startBare(work, bodies.brotli, 'express-bytes.ts'),
    }
    const brotli = { headers: { 'Accept-Encoding': 'br' } }
    const unchanged = { headers: { 'If-None-Match': bodies.identity.headers.ETag ?? '' } }
    const results = await compare({
      'bare identity': () => requestsPerSecond(servers['bare identity'].url),
      'Express identity': () => requestsPerSecond(servers['Express identity'].url),
      'page identity': () => requestsPerSecond(home),
      'bare brotli': () => requestsPerSecond(servers['bare brotli'].url, brotli),
      'Express brotli': () => requestsPerSecond(servers['Express brotli'].url, brotli),
      'page brotli': () => requestsPerSecond(home, brotli),
      'bare 304': () => requestsPerSecond(servers['bare identity'].url, unchanged),
      'Express 304': () => requestsPerSecond(servers['Express identity'].url, unchanged),
      'page 304': () => requestsPerSecond(home, unchanged),
    })
    await Promise.all([site.stop(), ...Object.values(servers).map(({ stop }) => stop())])
    for (const kind of ['identity', 'brotli', '304'] as const) {
      const page = results[`page ${kind}`]
      report(
        `cached page, ${kind}, against Express with the same bytes`,
        page,
        results[`Express ${kind}`],
        '>= 1',
      )
      report(
        `cached page, ${kind}, against bare node:http`,
        page,
        results[`bare ${kind}`],
        'no target',
      )
    }
  },
  async uncached() {
    const site = await startSite({ KEEP: '0', UNLIMITED: '1' })
    const plain = await startPinned(join(here, 'plain-render.ts'), {
      ENTRY: await plainBundle(work),
      DATA_URL: site.url,
    })
    const results = await compare({
      plain: () => requestsPerSecond(plain.url),
      ours: () => requestsPerSecond(`${site.url}/`),
    })
    await Promise.all([site.stop(), plain.stop()])
    report(
      'uncached page against plain renderToPipeableStream',
      results.ours,
      results.plain,
      '>= 0.35',
    )
  },
  async asset() {
    const site = await startSite()
    const html = await (await fetch(site.url)).text()
    const path = html.match(/\/assets\/entry-client-[\w-]+\.js/)?.[0] ?? ''
    const headers = { 'Accept-Encoding': 'br' }
    const bare = await startBare(work, await fetchRaw(site.url + path, headers))
    const results = await compare({
      bare: () => requestsPerSecond(bare.url, { headers }),
      ours: () => requestsPerSecond(site.url + path, { headers }),
    })
    await Promise.all([site.stop(), bare.stop()])
    report('hashed asset, precompressed', results.ours, results.bare, '>= 0.5')
  },
  async tickets() {
    const { http, bare } = await ticketSaves({ startSite, work })
    report('ticket save against the same inserts in a bare loop', http, bare, '>= 0.25')
  },
  async bookings() {
    for (const { name, few, many } of await bookingMonths({ startSite, work })) {
      report(`${name}, 100 000 bookings against 100 (ms)`, many, few, '<= 2')
    }
    const { availability, same } = await availabilityPerSecond({ startSite, work })
    report(
      'availability of a month, 100 000 bookings, against its bytes from bare node:http',
      availability,
      same,
      'no target',
    )
    const { http, bare } = await bookingSaves({ startSite, work })
    report('booking save against the same inserts in a bare loop', http, bare, '>= 0.25')
  },
  async events() {
    for (const { name, few, many } of await eventLists({ startSite, work })) {
      report(`${name}, 20 000 events against 600 (ms)`, many, few, '<= 2')
    }
  },
  async links() {
    const { bare, one, bareDrawn, thousand, million } = await linkRedirects({ startSite, work })
    report('short link of 1 000 000, the same one', one, bare, '>= 0.4')
    report('short link of 1 000 000, drawn from a thousand', thousand, bareDrawn, '>= 0.4')
    report('short link of 1 000 000, drawn from all', million, bareDrawn, '>= 0.1')
  },
  async shop() {
    const { large, sample } = await productList({ startSite, work })
    report('list of the sample against one of 10 000 products', sample, large, '<= 2')
    const { http, bare } = await checkoutsPerSecond({ startSite, work })
    report('checkout against the same rows in a bare loop', http, bare, '>= 0.25')
  },
  async stream() {
    const { slow, plain } = await firstByte({ startSite })
    report(
      'first byte while content takes 2 s against a page without data (ms)',
      slow,
      plain,
      '<= 1.5',
    )
  },
  async start() {
    const { ours, empty } = await coldStart(work)
    report('cold start against an empty Express server (ms)', ours, empty, '<= 3.5')
  },
  async cli() {
    for (const { name, seconds, empty, isHelp } of await commandLine(work)) {
      const max = isHelp ? 0.15 : 0.35
      console.log(
        `${name}: ${(seconds / empty).toFixed(1)} times node -e 0 — ${seconds.toFixed(3)} s of processor (<= ${max}) against ${empty.toFixed(3)}`,
      )
    }
  },
  async memory() {
    const { rest, mixed, loaded } = await memory(work, startSite)
    const { peak, after, pictures, views, saves } = mixed
    console.log(
      `memory at rest ${rest.toFixed(0)} MB (<= 150), after load ${loaded.toFixed(0)} MB (<= 320)`,
    )
    console.log(
      `${pictures} pictures, ${views} pages, ${saves} saves: ${peak.toFixed(0)} MB at most (<= 320), ${after.toFixed(0)} MB half a minute later`,
    )
  },
  async mixed() {
    const { alone, beside, saves, pages } = await mixedLoad({ startSite })
    report('99 of 100 pages under a mixed load against pages alone (ms)', beside, alone, '<= 3')
    console.log(
      `99 of 100 of ${pages} pages within ${beside.toFixed(1)} ms (<= 50), saves within ${saves.toFixed(1)} ms (<= 50)`,
    )
  },
  async folders() {
    const { page, growth, speed, bytes } = await folders({ startSite, work })
    const size = (bytes / 1e9).toFixed(1)
    console.log(
      `zipping ${size} GB: ${growth.toFixed(0)} MB more memory (<= 50), ${speed.toFixed(0)} MB/s`,
    )
    report('first page of 10 000 files against that of 120 (ms)', page.many, page.few, '<= 1.5')
  },
  async scale() {
    for (const { name, few, many } of await scale({ startSite, work })) {
      report(`${name}, 10 000 news and 2 000 projects against the sample (ms)`, many, few, '<= 2')
    }
  },
  async desk() {
    for (const { name, few, many } of await deskOfYears()) {
      console.log(
        `${name} with 20 000 of everything: holds the event loop for ${many.toFixed(1)} ms (<= 50), with 200 for ${few.toFixed(1)}`,
      )
    }
  },
  async bytes() {
    for (const line of await firstLoadBytes({ startSite })) console.log(line)
  },
}

/** Starts the site on the benchmark's own data. */
export type StartSite = (env?: Record<string, string>) => Promise<Omit<Target, 'name'>>

async function startSite(env: Record<string, string> = {}): Promise<Omit<Target, 'name'>> {
  const settings = {
    ...startEnvironment,
    HOST: '127.0.0.1',
    DATA_DIR: mkdtempSync(join(work, 'data-')),
    LOG_LEVEL: 'info',
    ...env,
  }
  return startPinned(join(here, 'site-server.ts'), settings, startOptions)
}

function report(what: string, ours: number, yardstick: number, target: string) {
  console.log(
    `${what}: ${(ours / yardstick).toFixed(2)} (${target}) — ${ours.toFixed(1)} against ${yardstick.toFixed(1)}`,
  )
}

buildIfMissing(console.log)
const wanted = process.argv.slice(2)
try {
  for (const [name, part] of Object.entries(parts)) {
    if (wanted.length === 0 || wanted.includes(name)) await part()
  }
} finally {
  rmSync(work, { recursive: true, force: true })
}
