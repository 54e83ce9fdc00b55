import { crc32 } from 'node:zlib'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { isFailure } from '#shared/failures.ts'
import type { Platform } from '../../feature.ts'
import { FileGone } from '../../transfers/disk.ts'
import type { Folder, StoredFile } from '../schema.ts'
import type { Original } from './originals.ts'
import type { Preview, Previews } from './previews.ts'

/** A picture as it leaves in web size; its size is 0 until it was made once. */
export type WebSize = Omit<Original, 'withheld'> & {
  /** Makes the file if needed and measures its size and checksum; null when it can't be made. */
  measure(): Promise<{ size: number; crc: number } | null>
}

/** Max pictures whose size and checksum are known at once. */
const maxKnown = 50_000

/** Opens the pictures of folders in web size, for ZIPs. */
export type WebSizes = ReturnType<typeof createWebSizes>

/**
 * Creates the reader of pictures in web size: the previews that pages show, with the same watermark.
 */
export function createWebSizes({
  root,
  previews,
  brand,
}: {
  root: string
  previews: Previews
  brand: Platform['brand']
}) {
  const known = new LRUCache<string, { size: number; crc: number }>({
    // As a size, since `max` would make room for all of them at once.
    maxSize: maxKnown,
    sizeCalculation: () => 1,
  })

  return {
    /**
     * Looks for pictures in web size.
     * @param client whose turn it is where some have to be made
     * @returns in their order; null for a picture that is not there
     */
    async findAll(
      folder: Folder,
      files: readonly StoredFile[],
      client: string,
    ): Promise<(WebSize | null)[]> {
      const watermark = folder.watermark ? (await brand()).name : null
      const directory = join(root, folder.directory)
      const found: (WebSize | null)[] = []
      for (const file of files) {
        const preview = await previews(directory, file, { kind: 'web', watermark })
        found.push(preview && webSizeOf(preview, file, client))
      }
      return found
    },
  }

  function webSizeOf(preview: Preview, { mtime }: StoredFile, client: string): WebSize {
    const { etag } = preview
    const bytes = async () => (await preview.cached()) ?? preview.make(client)
    return {
      etag,
      mtime,
      size: known.get(etag)?.size ?? 0,
      crc: known.get(etag)?.crc ?? null,
      async measure() {
        // One that isn't a picture is listed as missing, and doesn't keep the others back.
        const made = await bytes().catch((error: unknown) => {
          if (isFailure(error) && error.failure === 'missing') return null
          throw error
        })
        if (!made) return null
        const facts = { size: made.length, crc: crc32(made) }
        known.set(etag, facts)
        return facts
      },
      async open() {
        const made = await bytes()
        const now = known.get(etag)
        // Made again by another version of the image library, its bytes may be others.
        if (made.length !== now?.size || crc32(made) !== now.crc) {
          known.delete(etag)
          throw new FileGone('The picture was made anew.')
        }
        return {
          size: made.length,
          read: async (into, position) => made.copy(into, 0, position),
          async close() {},
        }
      },
    }
  }
}
