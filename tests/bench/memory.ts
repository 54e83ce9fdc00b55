import { readFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { publicPages } from '../support/public-pages.ts'
import { requestsPerSecond, startEnvironment, startOptions, startPinned } from './load.ts'
import type { StartSite } from './main.ts'
import { enquiry, exchange, pictureVariants, type Sent } from './visitors.ts'

const program = join(import.meta.dirname, '../../server/start.js')

/** Sizes of pictures that a season of visitors asks for, and for how long the load goes on at least. */
const [maxVariants, leastMs] = [542, 120_000]

/**
 * Resident memory in MB, where /proc tells it, of the server as `npm start` runs it: at rest after
 * its very first start, at its highest while pages, pictures and saves come together, and once that
 * is over. `loaded` is one without limits after half a minute of pages at full speed.
 */
export async function memory(work: string, startSite: StartSite) {
  const settings = { ...startEnvironment, HOST: '127.0.0.1', DATA_DIR: join(work, 'first') }
  const first = await startPinned(program, settings, startOptions)
  await setTimeout(5000)
  const rest = memoryOf(first.process.pid).now
  const mixed = await underMixedLoad(first.url, first.process.pid)
  await first.stop()
  const site = await startSite({ UNLIMITED: '1' })
  for (const path of ['/', '/no-such-page', '/api/content/services', '/']) {
    await requestsPerSecond(site.url + path, { seconds: 5 }).catch(() => 0)
  }
  const loaded = memoryOf(site.process.pid).now
  await site.stop()
  return { rest, mixed, loaded }
}

/** Pictures that have to be made, pages and saves at the same time, from many addresses. */
async function underMixedLoad(url: string, pid: number | undefined) {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  const variants = pictureVariants(maxVariants)
  const pages = await publicPages(url)
  const until = Date.now() + leastMs
  let [pictures, views, saves] = [0, 0, 0]
  const send = (path: string, from: number, options: Sent = {}) =>
    exchange(url, path, { agent, from, ...options })
  const makers = Array.from({ length: 6 }, async (_, client) => {
    for (let path = variants.pop(); path; path = variants.pop()) {
      if ((await send(path, client)) === 200) pictures += 1
    }
  })
  const isOn = { value: true }
  const visitors = Array.from({ length: 8 }, async (_, client) => {
    for (let at = client; isOn.value; at += 1) {
      await send(pages[at % pages.length]!, 20 + client, { headers: { 'Accept-Encoding': 'br' } })
      views += 1
      await setTimeout(5)
    }
  })
  const writer = (async () => {
    for (let at = 0; isOn.value; at += 1) {
      if ((await send('/api/save-contact-form', 40 + (at % 200), enquiry(at))) === 201) saves += 1
      await setTimeout(200)
    }
  })()
  await Promise.all(makers)
  await setTimeout(Math.max(0, until - Date.now()))
  isOn.value = false
  await Promise.all([...visitors, writer])
  agent.destroy()
  const { peak } = memoryOf(pid)
  await setTimeout(30_000)
  return { peak, after: memoryOf(pid).now, pictures, views, saves }
}

/** What a process has in memory now, and the most that it has had. */
function memoryOf(pid: number | undefined): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const megabytes = (name: string) =>
    Number(status.match(new RegExp(`${name}:\\s+(\\d+)`))?.[1]) / 1024
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') }
}
