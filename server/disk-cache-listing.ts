import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Ends the name of a file that is still being written. */
export const unfinished = '.tmp'

/** Milliseconds after which a file that is still unfinished is left from a crash. */
const unfinishedMs = 60 * 60_000

/** A file that an earlier process kept. */
export type ListedFile = { name: string; size: number; usedAt: number }

/** The files of a cache's directory, the one unused for longest first; removes what a crash left. */
export async function listCache(dir: string): Promise<ListedFile[]> {
  const found: ListedFile[] = []
  for (const name of await readdir(dir).catch(() => [])) {
    const file = await stat(join(dir, name)).catch(() => null)
    if (!file?.isFile()) continue
    if (!name.endsWith(unfinished)) found.push({ name, size: file.size, usedAt: file.mtimeMs })
    // Another process may be at a newer one.
    else if (Date.now() - file.mtimeMs > unfinishedMs) await rm(join(dir, name), { force: true })
  }
  return found.toSorted((a, b) => a.usedAt - b.usedAt)
}
