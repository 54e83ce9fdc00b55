import { get } from 'node:http'
import { median } from './load.ts'

/** Milliseconds of one address on a small site and on a large one. */
export type SideBySide = { name: string; few: number; many: number }

const rounds = 40
/** The first replies read files and compile code. */
const warmUp = 10

/**
 * Milliseconds of replies on two sites, asked by turns so a busy machine slows both.
 * @param sites the small one first
 * @param addresses by the name of what is there; on both sites
 */
export async function sideBySide(
  sites: readonly [{ url: string }, { url: string }],
  addresses: Readonly<Record<string, string>>,
): Promise<SideBySide[]> {
  const results: SideBySide[] = []
  for (const [name, path] of Object.entries(addresses)) {
    const times: [number[], number[]] = [[], []]
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, { url }] of sites.entries()) {
        const ms = await timeOf(url + path)
        if (round >= warmUp) times[index]!.push(ms)
      }
    }
    results.push({ name, few: median(times[0]), many: median(times[1]) })
  }
  return results
}

function timeOf(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const started = performance.now()
    get(url, { headers: { 'Accept-Encoding': 'br' } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url}: ${response.statusCode}`))
      response.resume().on('end', () => resolve(performance.now() - started))
    }).on('error', reject)
  })
}
