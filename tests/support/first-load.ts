import { brotliCompressSync } from 'node:zlib'

/** What a first visit may load at most of each, compressed, in bytes (docs/decisions/0012-first-load.md). */
export const maxFirstLoad = { scripts: 105_000, styles: 8 * 1024 }

/** The bytes that a browser loads by itself for a page, compressed with brotli. */
export type FirstLoad = { html: number; scripts: number; styles: number }

/**
 * Measures first loads of a site; what several pages share is asked for once.
 * @param url of the site
 * @returns a function of the page's path
 */
export function firstLoads(url: string): (path: string) => Promise<FirstLoad> {
  const sizes = new Map<string, Promise<number>>()
  const measure = async (path: string) => {
    const { headers } = await fetch(url + path, {
      method: 'HEAD',
      headers: { 'Accept-Encoding': 'br' },
    })
    return Number(headers.get('Content-Length'))
  }
  const sizeOf = (path: string) => {
    const known = sizes.get(path) ?? measure(path)
    sizes.set(path, known)
    return known
  }
  const sum = async (html: string, assets: RegExp) => {
    const paths = new Set(Array.from(html.matchAll(assets), ([, path]) => path!))
    const each = await Promise.all(Array.from(paths, sizeOf))
    return each.reduce((total, size) => total + size, 0)
  }
  return async (path) => {
    const html = await (await fetch(url + path)).text()
    return {
      html: brotliCompressSync(Buffer.from(html)).length,
      scripts: await sum(html, /[" ](\/assets\/[^" ]+\.js)(?=[" ])/g),
      styles: await sum(html, /href="(\/assets\/[^"]+\.css)" data-precedence/g),
    }
  }
}
