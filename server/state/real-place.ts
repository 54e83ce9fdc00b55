import { realpathSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'

/**
 * Where a path leads once its links are followed; what doesn't exist yet stays as it's spelled. Two
 * settings that name one directory in two ways are found out by it.
 */
export function realPlace(path: string): string {
  const at = resolve(path)
  try {
    return realpathSync(at)
  } catch {
    return dirname(at) === at ? at : join(realPlace(dirname(at)), basename(at))
  }
}

/** Whether two paths lead to one place. */
export const isSamePlace = (a: string, b: string): boolean => realPlace(a) === realPlace(b)

/** Whether a path leads to a directory or to something below it. */
export const isWithin = (path: string, directory: string): boolean =>
  `${realPlace(path)}${sep}`.startsWith(`${realPlace(directory)}${sep}`)
