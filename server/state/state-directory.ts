import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a directory that a setting names, with those above it that are missing. One by one, since
 * Node's own recursion never ends where the system says of every new directory that there is none
 * above it, as below `/proc`.
 * @param path absolute
 * @param mode of those that are made
 * @throws when it can't be made, or is something else
 */
export function makeStateDirectory(path: string, mode?: number): void {
  const missing: string[] = []
  for (let at = path; !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.unshift(at)
  for (const directory of missing) {
    try {
      mkdirSync(directory, mode === undefined ? {} : { mode })
    } catch (error) {
      // Another process may have been first.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
  if (!statSync(path).isDirectory()) throw new Error(`${path} isn’t a directory`)
}
