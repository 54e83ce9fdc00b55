import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { dist } from './dist.ts'
import { mediaTypeOf, withCharset } from './http/media-types.ts'
import { cachedResponse, type CachedResponse } from './http/replies/cached-response.ts'

const root = join(import.meta.dirname, '..')

/** Media types that only our own build may have. */
const builtTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.woff2': 'font/woff2',
}

/** Fixed files by their path. */
export type Assets = {
  find(url: string): CachedResponse | undefined
  /**
   * Reads all of them, a megabyte or so, so who has a page of this build still gets its files
   * when the next build has taken their place.
   */
  readAll(): Promise<void>
}

/**
 * Finds the fixed files of the site: the hashed ones of the build, immutable and compressed by the
 * build, and the few of client/public. Each is read when it is first asked for, and kept.
 * @param headers what every reply carries
 * @param options without `built` only client/public, since Vite serves the rest in development
 */
export function loadAssets(
  headers: Readonly<Record<string, string>>,
  { built }: { built: boolean },
): Assets {
  const files = new Map<string, CachedResponse | (() => CachedResponse)>()
  const list = (directory: string, prefix: string, cacheControl: string) => {
    for (const name of readdirSync(directory)) {
      const type = builtTypes[extname(name)] ?? mediaTypeOf(name)
      if (!type) continue
      const complete = {
        ...headers,
        'Content-Type': withCharset(type),
        'Cache-Control': cacheControl,
      }
      files.set(`${prefix}/${name}`, () => read(join(directory, name), complete))
    }
  }
  list(join(root, 'client/public'), '', 'public, max-age=86400')
  if (built) {
    list(join(dist, 'client/assets'), '/assets', 'public, max-age=31536000, immutable')
  }
  const find = (url: string): CachedResponse | undefined => {
    const found = files.get(url)
    if (typeof found !== 'function') return found
    const response = found()
    files.set(url, response)
    return response
  }
  return {
    find,
    async readAll() {
      for (const url of files.keys()) {
        find(url)
        await nextTurn()
      }
    },
  }
}

function read(file: string, headers: Readonly<Record<string, string>>): CachedResponse {
  const beside = (ending: string) =>
    existsSync(file + ending) ? readFileSync(file + ending) : undefined
  return cachedResponse(
    { identity: readFileSync(file), br: beside('.br'), gzip: beside('.gz') },
    headers,
  )
}
