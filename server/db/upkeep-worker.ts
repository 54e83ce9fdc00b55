import { closeSync, fsyncSync, openSync } from 'node:fs'
import Database from 'better-sqlite3'
import { answerTasks } from '../worker-thread.ts'

// Runs in its own thread: each task reads or writes a whole file before it returns.

/** Tasks of this thread. */
export type Upkeep =
  /** Copies the current state of a database, without free pages. */
  | { task: 'copy'; from: string; to: string }
  /** Merges the write-ahead log into the database and empties it. @returns whether that worked */
  | { task: 'empty-log'; file: string }

/** Tries to empty the log, and milliseconds that each may block writers. */
const tries = 20
const tryTimeout = 100
const tryPauseMs = 150

function copy(from: string, to: string): void {
  const db = new Database(from, { readonly: true, fileMustExist: true })
  try {
    // Reads a consistent state while others write, without free pages.
    db.prepare('VACUUM INTO ?').run(to)
  } finally {
    db.close()
  }
  // SQLite does not wait for the disk here.
  const file = openSync(to, 'r+')
  fsyncSync(file)
  closeSync(file)
}

async function emptyLog(file: string): Promise<boolean> {
  const db = new Database(file, { timeout: tryTimeout, fileMustExist: true })
  try {
    for (let count = 0; count < tries; count += 1) {
      // Readers of an older state block it; writers shouldn't wait for them.
      const [result] = db.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[]
      if (result?.busy === 0) return true
      await new Promise((resolve) => setTimeout(resolve, tryPauseMs))
    }
    return false
  } finally {
    db.close()
  }
}

answerTasks(async (asked: Upkeep) => {
  if (asked.task === 'empty-log') return emptyLog(asked.file)
  copy(asked.from, asked.to)
  return true
})
