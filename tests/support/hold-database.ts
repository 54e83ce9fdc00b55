import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { databaseFile } from '#server/db/open.ts'

/** Another process that writes and does not stop; ended when the test is. */
export type Holder = AsyncDisposable & {
  /** Lets go of the database. */
  release(): Promise<void>
}

const program = `
  const Database = require('better-sqlite3')
  const db = new Database(process.argv[1])
  db.exec('BEGIN IMMEDIATE')
  console.log('held')
  process.stdin.on('end', () => { db.exec('COMMIT'); db.close() }).resume()
`

/** Holds the database of a site from its own process, until it is released. */
export async function holdDatabase(dataDir: string): Promise<Holder> {
  const child = spawn(process.execPath, ['-e', program, databaseFile(dataDir)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  await once(child.stdout, 'data')
  const release = async () => {
    child.stdin.end()
    await ended
  }
  return { release, [Symbol.asyncDispose]: release }
}
