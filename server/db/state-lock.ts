import { join } from 'node:path'
import Database from 'better-sqlite3'
import { StartError } from '../start-error.ts'

/** Releases a lock. Idempotent. */
export type Release = () => void

/** The state is in use (exclusive lock), or exclusively locked (shared lock). */
export class StateInUse extends StartError {}

const lockName = 'in-use.lock'
/** Held by the server alone; named so that a restore leaves it in place, as it does the other one. */
const serverLockName = `${lockName}.server`

/** Whether an entry of DATA_DIR belongs to the lock, which is never moved. */
export const isStateLock = (name: string) => name.startsWith(lockName)

/**
 * Milliseconds to wait for a shared lock, for an exclusive one, and for the server before this one, which
 * may be finishing its requests: it ends within 14 seconds of the signal.
 */
const lockTimeouts = { shared: 2_000, alone: 1_000, server: 15_000 }

/**
 * Takes a shared lock of the state, as every server and command does that opens the database.
 * @throws StateInUse while a process has the exclusive lock
 */
export function shareState(dataDir: string): Release {
  const release = lock(join(dataDir, lockName), { alone: false, wait: lockTimeouts.shared })
  if (release) return release
  throw new StateInUse(`A backup is being restored into ${dataDir}. Try again when it’s done.`)
}

/**
 * Takes the exclusive lock of the state.
 * @throws StateInUse while a server or a command uses it
 */
export function takeState(dataDir: string): Release {
  const release = lock(join(dataDir, lockName), { alone: true, wait: lockTimeouts.alone })
  if (release) return release
  throw new StateInUse(`A server or another command is using ${dataDir}. Stop it first.`)
}

/**
 * Takes the lock of the server, of which a state has one: a second one would record its own address for
 * links in emails, and count limits, uploads and log files apart from the first. Waits for one that is
 * stopping. The command line doesn't take it.
 * @param waits called once if there is another server
 * @throws StateInUse if that one goes on
 */
export function serveState(dataDir: string, waits: () => void): Release {
  const file = join(dataDir, serverLockName)
  const atOnce = lock(file, { alone: true, wait: 0 })
  if (atOnce) return atOnce
  waits()
  const release = lock(file, { alone: true, wait: lockTimeouts.server })
  if (release) return release
  throw new StateInUse(
    `Another server is running on ${dataDir}, and there can be only one. Stop it first, or set DATA_DIR to a directory of this one’s own.`,
  )
}

/**
 * Locks a file exclusively.
 * @param options `wait` milliseconds for another process, which blocks the event loop
 * @returns null while another one has it
 */
export const takeLock = (file: string, { wait = 0 }: { wait?: number } = {}): Release | null =>
  lock(file, { alone: true, wait })

/**
 * Uses SQLite's locks: the system releases them when the process dies, so none is ever left behind.
 */
function lock(file: string, { alone, wait }: { alone: boolean; wait: number }): Release | null {
  const connection = new Database(file, { timeout: wait })
  try {
    // Nothing is ever written, and a full disk is no reason for one more failure.
    connection.pragma('journal_mode = MEMORY')
    connection.exec(alone ? 'BEGIN EXCLUSIVE' : 'BEGIN')
    // A shared lock begins with the first reading.
    if (!alone) connection.prepare('SELECT 1 FROM sqlite_master').all()
  } catch (error) {
    connection.close()
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return null
    throw error
  }
  return () => void connection.close()
}
