import { Agent } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import type { StartSite } from './main.ts'
import { enquiry, exchange, pictureVariants, type Sent } from './visitors.ts'

/** Connections that ask for each kind: 64 in all. */
const connections = { pages: 40, searches: 8, pictures: 4, saves: 6, downloads: 6 }
const warmUpMs = 5_000
const roundMs = 6_000
const rounds = 3

/** Words that searches of the sample content find. */
const words = ['rally', 'ice', 'karting', 'print', 'film', 'kouvola', 'drift', 'night']

/**
 * The time within which 99 of 100 pages are there, in ms: without anything beside them, and while
 * searches, new sizes of pictures, saves and downloads of originals run; and that of the saves. All as
 * fast as the answers come, in rounds by turns.
 */
export async function mixedLoad({ startSite }: { startSite: StartSite }) {
  const site = await startSite({ UNLIMITED: '1' })
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const variants = pictureVariants(Infinity)
  const times = { alone: [] as number[], beside: [] as number[], saves: [] as number[] }
  let count = 0
  let clients = 0

  /** Asks on some connections, each again as soon as it is answered. */
  const ask = (
    many: number,
    until: number,
    next: (n: number) => { path: string; sent?: Sent },
    kept?: number[],
  ) =>
    Promise.all(
      Array.from({ length: many }, async () => {
        const from = clients++
        while (performance.now() < until) {
          const { path, sent } = next(count++)
          const began = performance.now()
          const status = await exchange(site.url, path, { agent, from, ...sent })
          if (status >= 400) throw new Error(`${path} was answered with ${status}`)
          if (status > 0) kept?.push(performance.now() - began)
        }
      }),
    )
  const askPages = (until: number, kept?: number[]) =>
    ask(
      connections.pages,
      until,
      () => ({ path: '/', sent: { headers: { 'Accept-Encoding': 'br' } } }),
      kept,
    )
  const askBeside = (until: number) =>
    Promise.all([
      ask(connections.searches, until, (n) => ({
        path: `/api/search?q=${words[n % words.length]}`,
      })),
      ask(connections.pictures, until, () => ({ path: variants.pop() ?? '/' })),
      ask(
        connections.saves,
        until,
        (n) => ({ path: '/api/save-contact-form', sent: enquiry(n) }),
        times.saves,
      ),
      ask(connections.downloads, until, (n) => ({
        path: variants[n % variants.length]!.split('?', 1)[0]!,
      })),
    ])

  // What runs for weeks isn't measured while it loads code, indexes texts and is compiled.
  const warm = performance.now() + warmUpMs
  await Promise.all([askPages(warm), askBeside(warm)])
  times.saves.length = 0
  for (let round = 0; round < rounds; round += 1) {
    await askPages(performance.now() + roundMs, times.alone)
    const until = performance.now() + roundMs
    await Promise.all([askPages(until, times.beside), askBeside(until)])
    // Pictures still being made are finished first, though no one waits for them.
    await setTimeout(1_000)
  }
  agent.destroy()
  await site.stop()
  const slowest = (kept: readonly number[]) =>
    kept.toSorted((a, b) => a - b)[Math.floor(kept.length * 0.99)]!
  return {
    alone: slowest(times.alone),
    beside: slowest(times.beside),
    saves: slowest(times.saves),
    pages: times.beside.length,
  }
}
