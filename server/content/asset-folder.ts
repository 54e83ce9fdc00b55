import { createHash } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { servedType } from './media-types.ts'
import type { Original } from './reader.ts'

/** The files of a folder by their names without the ending. */
export async function readAssets(folder: string): Promise<Map<string, Original>> {
  const names = await readdir(folder).catch(() => [])
  const assets = new Map<string, Original>()
  for (const name of names.toSorted((a, b) => (a < b ? -1 : 1))) {
    const path = join(folder, name)
    const type = servedType(name)
    const found = name.startsWith('.') || !type ? null : await stat(path).catch(() => null)
    if (!type || !found?.isFile()) continue
    assets.set(basename(name, extname(name)), {
      type,
      size: found.size,
      version: createHash('sha1')
        .update(`${found.mtimeMs}:${found.size}`)
        .digest('hex')
        .slice(0, 10),
      path: async () => path,
    })
  }
  return assets
}
