import { closeSync, fsyncSync, openSync } from 'node:fs'
import Database from 'better-sqlite3'
import { answerTasks } from '../concurrency/worker-thread.ts'

/** What this thread does: it copies the current state of a database, without free pages. */
export type Copying = { readonly from: string; readonly to: string }

// In a thread, since it reads and writes whole files before it returns.
answerTasks(async ({ from, to }: Copying) => {
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
  return true
})
