import { brotliCompressSync } from 'node:zlib'
import type { StartSite } from './main.ts'

/**
 * Bytes of the home page's first load, brotli: its HTML, the styles of its head, and the scripts that
 * it loads by itself.
 */
export async function firstLoadBytes({
  startSite,
}: {
  startSite: StartSite
}): Promise<[string, number, string?][]> {
  const site = await startSite()
  const html = await (await fetch(site.url)).text()
  const sum = async (pattern: RegExp) => {
    const paths = new Set([...html.matchAll(pattern)].map(([, path]) => path!))
    const bodies = await Promise.all(
      [...paths].map(async (path) =>
        Buffer.from(await (await fetch(site.url + path)).arrayBuffer()),
      ),
    )
    return bodies.reduce((total, body) => total + brotliCompressSync(body).length, 0)
  }
  const result: [string, number, string?][] = [
    ['HTML', brotliCompressSync(Buffer.from(html)).length],
    ['JavaScript', await sum(/[" ](\/assets\/[^" ]+\.js)(?=[" ])/g), '105'],
    ['CSS', await sum(/href="(\/assets\/[^"]+\.css)" data-precedence/g), '8'],
  ]
  await site.stop()
  return result
}
