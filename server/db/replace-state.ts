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
  /** Entries of DATA_DIR to move away. */
  away: z.array(name),
  /** Entries of the prepared directory that take their place. */
  into: z.array(name),
  /** Below DATA_DIR/backups: what was prepared. */
  prepared: name,
  /** Below DATA_DIR/backups: where the old state is collected, and what it is called at the end. */
  collected: name,
  aside: name,
})

/** The plan for replacing one state with another, only by renaming. */
export type Replacement = z.output<typeof schema>

const planName = 'replacing.json'
const planOf = (dataDir: string) => join(dataDir, planName)

/** Whether an entry of DATA_DIR is the plan of a replacement. */
export const isPlan = (entry: string) => entry.startsWith(planName)

/** Whether a replacement is unfinished. */
export const isReplacing = (dataDir: string): boolean => existsSync(planOf(dataDir))

/**
 * Replaces the state: saves the plan, then carries it out. Once saved it will be carried out whatever
 * happens: the next process that opens the state resumes it. Requires the exclusive lock.
 */
export function replaceState(dataDir: string, replacement: Replacement): void {
  const plan = planOf(dataDir)
  writeFileSync(`${plan}.part`, JSON.stringify(replacement), { mode: 0o600, flush: true })
  renameSync(`${plan}.part`, plan)
  syncDirectory(dataDir)
  finishReplacing(dataDir)
}

/**
 * Resumes an unfinished replacement. Each step is idempotent. Requires the exclusive lock.
 * @throws StartError if it fails; nothing is lost, and it can be retried
 */
export function finishReplacing(dataDir: string): void {
  if (!isReplacing(dataDir)) return
  try {
    move(dataDir, schema.parse(JSON.parse(readFileSync(planOf(dataDir), 'utf8'))))
  } catch (cause) {
    throw new StartError(
      `A restore stopped half way and can’t be completed: ${(cause as Error).message}. Both states are still in ${dataDir}; fix the cause and start again.`,
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

/** True for dangling links, too. */
function existsEntry(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

/** Flushes a directory, so its renames survive a power cut. */
function syncDirectory(path: string): void {
  const directory = openSync(path, 'r')
  try {
    fsyncSync(directory)
  } finally {
    closeSync(directory)
  }
}
