import { get } from 'node:http'
import { startDirectus } from '../support/directus-double.ts'
import { median } from './load.ts'
import type { StartSite } from './main.ts'

/** Milliseconds to the first byte of the home page while its content takes 2 s, and of a page without data. */
export async function firstByte({ startSite }: { startSite: StartSite }) {
  const double = await startDirectus()
  // Content that never comes keeps every round cold; 2 s or for ever is the same to the first byte.
  double.fail({ kind: 'hang' })
  const site = await startSite({ CONTENT_URL: double.url, KEEP: '0' })
  const slow: number[] = []
  const plain: number[] = []
  // The first pages load code; what counts is a page like any other.
  for (let round = 0; round < 12; round += 1) {
    const [a, b] = [
      await timeToFirstByte(`${site.url}/`),
      await timeToFirstByte(`${site.url}/no-such-page`),
    ]
    if (round >= 2) {
      slow.push(a)
      plain.push(b)
    }
  }
  await site.stop()
  await double[Symbol.asyncDispose]()
  return { slow: median(slow), plain: median(plain) }
}

function timeToFirstByte(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const started = performance.now()
    get(url, (response) => {
      response.once('data', () => {
        resolve(performance.now() - started)
        response.destroy()
      })
    }).on('error', reject)
  })
}
