import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { Logger } from 'pino'
import { isRaster } from '../../http/media-types.ts'
import { createDiskCache } from '../../state/disk-cache.ts'
import type { Original } from '../reader.ts'
import type { Download } from './client.ts'

/** Files of a content service, cached on disk under their own stem. */
export type FileCache = {
  find(stem: string): Promise<Original | null>
  has(stem: string): Promise<boolean>
  /**
   * Keeps a file in place of the one before it.
   * @returns its stamp
   * @throws when it is empty, which a busy Directus gives, or a page in place of a picture, as proxies
   *   send one; or the disk cannot be written
   */
  save(stem: string, download: Download): Promise<string>
  /** @returns whether there was one */
  remove(stem: string): Promise<boolean>
}

/** Seconds for which a browser, or a CDN, may show a file unasked; it may be taken back. */
const lifetimeSeconds = 30
const maxKeptBytes = 1024 * 1024 * 1024
const maxKeptFiles = 10_000

/** The name of a cached file says all about it: `<origin>-<id>~<version>~<type>`. */
const nameOf = (stem: string, version: string, type: string) =>
  `${stem}~${version}~${type.replace('/', '~')}`

export function createFileCache({
  dir,
  log,
}: {
  dir: string
  log: Pick<Logger, 'warn'>
}): FileCache {
  const cache = createDiskCache({
    dir,
    maxBytes: maxKeptBytes,
    maxFiles: maxKeptFiles,
    // Without it there is no picture at all.
    leaves: 0,
    log,
  })
  return {
    async find(stem) {
      const name = await cache.find(stem)
      const path = name && (await cache.path(name))
      if (!name || !path) return null
      const [, version = '', ...type] = name.split('~')
      return { type: type.join('/'), version, lifetime: lifetimeSeconds, path: async () => path }
    },
    has: async (stem) => (await cache.find(stem)) !== null,
    async save(stem, { type, stamp, body }) {
      const before = await cache.find(stem)
      let name = ''
      await cache.store(async (path) => {
        const hash = createHash('sha256')
        let size = 0
        let head = Buffer.alloc(0)
        await pipeline(
          body,
          async function* (pieces: AsyncIterable<Buffer>) {
            for await (const piece of pieces) {
              hash.update(piece)
              size += piece.length
              if (head.length < headBytes)
                head = Buffer.concat([head, piece.subarray(0, headBytes)])
              yield piece
            }
          },
          createWriteStream(path),
        )
        if (size === 0) throw new Error('The content service sent an empty file.')
        name = nameOf(stem, hash.digest('hex').slice(0, 16), typeOf(mediaTypeOf(type), head))
        return name
      })
      if (before && before !== name) await cache.remove(before)
      return stamp
    },
    async remove(stem) {
      const name = await cache.find(stem)
      if (name) await cache.remove(name)
      return name !== null
    },
  }
}

/** Bytes of the beginning of a file by which markup is told from pixels. */
const headBytes = 1024

/**
 * The type of a file: a drawing that is called a picture of pixels is none, and would be shown as damaged.
 * @throws for other markup in place of such a picture
 */
function typeOf(declared: string, head: Buffer): string {
  const text = head
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart()
  if (!isRaster(declared) || !text.startsWith('<')) return declared
  if (/<svg[\s>]/.test(text)) return 'image/svg+xml'
  throw new Error('The content service sent markup in place of a picture.')
}

/** The media type without parameters; only what is safe in a file name. */
function mediaTypeOf(header: string): string {
  const type = header.split(';')[0]?.trim().toLowerCase() ?? ''
  return /^[a-z]+\/[a-z\d.+-]+$/.test(type) ? type : 'application/octet-stream'
}
