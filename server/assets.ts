import { existsSync, globSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { dist } from './build.ts'
import { cachedResponse, type CachedResponse } from './http/cached-response.ts'

const root = join(import.meta.dirname, '..')

/** The media types of what we build and draw ourselves. */
const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
}

/** Fixed files by their path. */
export type Assets = { find(url: string): CachedResponse | undefined }

/**
 * Reads the fixed files of the site into memory, a megabyte or so: the hashed ones of the build,
 * immutable and compressed by the build, and the few of client/public.
 * @param headers what every reply carries
 * @param options without `built` only client/public, since Vite serves the rest in development
 */
export function loadAssets(
  headers: Readonly<Record<string, string>>,
  { built }: { built: boolean },
): Assets {
  const files = new Map<string, CachedResponse>()
  const load = (directory: string, prefix: string, cacheControl: string) => {
    for (const name of globSync('**/*', { cwd: directory })) {
      const type = types[extname(name)]
      if (!type) continue
      const file = join(directory, name)
      const beside = (ending: string) =>
        existsSync(file + ending) ? readFileSync(file + ending) : undefined
      const encodings = { identity: readFileSync(file), br: beside('.br'), gzip: beside('.gz') }
      const complete = { ...headers, 'Content-Type': type, 'Cache-Control': cacheControl }
      files.set(`${prefix}/${name}`, cachedResponse(encodings, complete))
    }
  }
  load(join(root, 'client/public'), '', 'public, max-age=86400')
  if (built) {
    load(join(dist, 'client/assets'), '/assets', 'public, max-age=31536000, immutable')
  }
  return { find: (url) => files.get(url) }
}
