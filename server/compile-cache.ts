import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'

/**
 * Lets Node keep compiled modules between starts, which halves the time of a command and of a
 * restart. It covers what is imported afterwards, so call it before the large imports.
 * @returns what writes the cache down now, for a process that may never end by itself
 */
export function keepCompiled({ dataDir }: { dataDir: string }): () => void {
  enableCompileCache(join(dataDir, 'cache/compiled'))
  return flushCompileCache
}
