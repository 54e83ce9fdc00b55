import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The files below a directory whose raw bytes hold a text, whatever the letter case: deleted rows,
 * logs of the database and half-written files count.
 */
export function filesWith(directory: string, text: string): string[] {
  const names = readdirSync(directory, { recursive: true }) as string[]
  return names
    .filter((name) => statSync(join(directory, name)).isFile())
    .filter((name) =>
      readFileSync(join(directory, name), 'latin1').toLowerCase().includes(text.toLowerCase()),
    )
    .toSorted()
}
