import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { StartError } from '../start-error.ts'

const name = z.string().check(
  z.regex(/^[^/\\\0]+$/),
  z.refine((text) => !/^\.\.?$/.test(text)),
)

const schema = z.object({
  /** Entries of DATA_DIR that are set aside. */
  away: z.array(name),
  /** Entries of the prepared directory that take their place. */
  into: z.array(name),
  /** Below DATA_DIR/backups: what was prepared. */
  prepared: name,
  /** Below DATA_DIR/backups: where the old state is collected, and what it is called at the end. */
  collected: name,
  aside: name,
})

/** How one state takes the place of another one, by renaming alone. */
export type Replacement = z.output<typeof schema>

const planName = 'replacing.json'
const planOf = (dataDir: string) => join(dataDir, planName)

/** Whether an entry of DATA_DIR is the plan of a replacement. */
export const isPlan = (entry: string) => entry.startsWith(planName)

/** Whether a replacement has begun and not ended. */
export const isReplacing = (dataDir: string): boolean => existsSync(planOf(dataDir))

/**
 * Replaces the state: writes down what is to be done and does it. From then on it will be done,
 * whatever happens: the next one who opens the state goes on. The caller has the state alone.
 */
export function replaceState(dataDir: string, replacement: Replacement): void {
  const plan = planOf(dataDir)
  writeFileSync(`${plan}.part`, JSON.stringify(replacement), { mode: 0o600, flush: true })
  renameSync(`${plan}.part`, plan)
  syncDirectory(dataDir)
  finishReplacing(dataDir)
}

/**
 * Goes on with a replacement where it stopped, if there is one. Each step looks at what is there,
 * so that doing it again does nothing. The caller has the state alone.
 * @throws StartError when it cannot be done; nothing is lost, and it can be tried again
 */
export function finishReplacing(dataDir: string): void {
  if (!isReplacing(dataDir)) return
  try {
    move(dataDir, schema.parse(JSON.parse(readFileSync(planOf(dataDir), 'utf8'))))
  } catch (cause) {
    throw new StartError(
      `Restoring a backup stopped half way and cannot be finished: ${(cause as Error).message}. Both states are still below ${dataDir}; remove the cause and start again.`,
      { cause },
    )
  }
}

function move(dataDir: string, { away, into, prepared, collected, aside }: Replacement): void {
  const here = (entry: string) => join(dataDir, entry)
  const backups = (...parts: string[]) => join(dataDir, 'backups', ...parts)
  for (const entry of away) {
    // Once its successor has left the prepared directory, what is in place is the successor.
    const replaced = into.includes(entry) && !existsEntry(backups(prepared, entry))
    if (replaced || !existsEntry(here(entry))) continue
    if (!existsEntry(backups(collected, entry))) {
      renameSync(here(entry), backups(collected, entry))
    }
  }
  if (existsSync(backups(collected))) syncDirectory(backups(collected))
  for (const entry of into) {
    if (existsEntry(backups(prepared, entry))) renameSync(backups(prepared, entry), here(entry))
  }
  syncDirectory(dataDir)
  if (existsSync(backups(collected))) renameSync(backups(collected), backups(aside))
  syncDirectory(backups())
  rmSync(planOf(dataDir))
  syncDirectory(dataDir)
  rmSync(backups(prepared), { recursive: true, force: true })
}

/** Links that lead nowhere are there, too. */
function existsEntry(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

/** Makes sure that what was renamed in a directory survives a power cut. */
function syncDirectory(path: string): void {
  const directory = openSync(path, 'r')
  try {
    fsyncSync(directory)
  } finally {
    closeSync(directory)
  }
}
