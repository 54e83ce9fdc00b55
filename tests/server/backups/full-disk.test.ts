import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { createBackup } from '#server/backups/create.ts'
import { startSite } from '../../support/site.ts'

/** What a disk says that is full: the system's words, and SQLite's. */
const fillings: Readonly<Record<string, () => void>> = {
  ...(existsSync('/dev/full') && { 'the system': () => writeFileSync('/dev/full', 'a file') }),
  SQLite() {
    const db = new Database(':memory:')
    db.pragma('max_page_count = 1')
    db.exec('CREATE TABLE one (n INTEGER); CREATE TABLE two (n INTEGER)')
  },
}

test('a backup whose disk fills up meanwhile says which disk, and leaves nothing on it', async () => {
  await using site = await startSite({ sending: false })
  const { config, clock } = site.context
  const directory = join(site.dataDir, 'backups')
  for (const [who, fill] of Object.entries(fillings)) {
    const db = { copyTo: async () => fill() }
    await expect(createBackup({ config, db, now: clock(), kind: 'manual' }), who).rejects.toThrow(
      `Not enough space in ${directory}: its disk filled up meanwhile.`,
    )
  }
  expect(readdirSync(directory).filter((name) => !name.endsWith('.lock'))).toEqual([])
})
