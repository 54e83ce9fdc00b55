import { statSync } from 'node:fs'
import { basename, join } from 'node:path'

/** The files of digital goods. */
export type ProductFiles = {
  /** Where a file lies; null when there is none of that name. */
  path(name: string): string | null
  /** Bytes; 0 for a file that is not there. */
  size(name: string): number
}

/**
 * Finds the files of digital goods: those of the shop in DATA_DIR, and those of the sample catalogue.
 * A name never leads into another directory.
 */
export function createProductFiles({
  dataDir,
  contentDir,
}: {
  dataDir: string
  contentDir: string
}): ProductFiles {
  const directories = [join(dataDir, 'products'), join(contentDir, 'products/files')]
  const find = (name: string) => {
    if (name !== basename(name) || name.startsWith('.')) return null
    for (const directory of directories) {
      const path = join(directory, name)
      const stat = statSync(path, { throwIfNoEntry: false })
      if (stat?.isFile()) return { path, size: stat.size }
    }
    return null
  }
  return {
    path: (name) => find(name)?.path ?? null,
    size: (name) => find(name)?.size ?? 0,
  }
}
