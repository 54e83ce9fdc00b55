import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '#server/db/open.ts'
import type { Replacement } from '#server/db/replace-state.ts'
import { shareState, StateInUse, takeState } from '#server/db/state-lock.ts'

const plan: Replacement = {
  away: ['folders', 'pitlane.sqlite', 'products'],
  into: ['folders', 'panels', 'pitlane.sqlite'],
  prepared: '.old-state.new',
  collected: '.old-state.old',
  aside: 'old-state',
}

/** The renames of a restore, in their order. */
const renames: readonly (readonly [string, string])[] = [
  ...plan.away.map((name) => [name, `backups/.old-state.old/${name}`] as const),
  ...plan.into.map((name) => [`backups/.old-state.new/${name}`, name] as const),
  ['backups/.old-state.old', 'backups/old-state'],
]

/** A database that knows one visitor of the old or the new state, as the file that it is. */
async function databaseOf(origin: string): Promise<Buffer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'pitlane-replace-'))
  const db = openDatabase(dataDir)
  const write = db.prepareWrite('INSERT INTO site_origin VALUES (1, ?, 0, 0)')
  await db.commit((tx) => write.run(tx, origin))
  await db.close()
  const bytes = readFileSync(join(dataDir, 'pitlane.sqlite'))
  rmSync(dataDir, { recursive: true })
  return bytes
}

/** Both states and the plan, after some of the renames, as a crash leaves them. */
function cutOff(after: number, databases: { old: Buffer; new: Buffer }): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'pitlane-replace-'))
  const write = (path: string, content: string | Buffer) => {
    mkdirSync(join(dataDir, path, '..'), { recursive: true })
    writeFileSync(join(dataDir, path), content)
  }
  write('pitlane.sqlite', databases.old)
  write('folders/a.jpg', 'old')
  write('products/a.zip', 'old')
  write('backups/.old-state.old/manifest.json', '{}')
  write('backups/.old-state.new/pitlane.sqlite', databases.new)
  write('backups/.old-state.new/folders/a.jpg', 'new')
  write('backups/.old-state.new/panels/a', 'new')
  write('replacing.json', JSON.stringify(plan))
  for (const [from, to] of renames.slice(0, after)) {
    renameSync(join(dataDir, from), join(dataDir, to))
  }
  return dataDir
}

test('a restore that died between any two steps is finished by the next who opens the state', async () => {
  const databases = { old: await databaseOf('http://old'), new: await databaseOf('http://new') }
  for (let after = 0; after <= renames.length; after += 1) {
    const dataDir = cutOff(after, databases)
    const read = (path: string) => readFileSync(join(dataDir, path), 'utf8')
    const db = openDatabase(dataDir)
    expect([after, db.prepare('SELECT origin FROM site_origin').pluck().get()]).toEqual([
      after,
      'http://new',
    ])
    await db.close()
    expect([read('folders/a.jpg'), read('panels/a')]).toEqual(['new', 'new'])
    expect(existsSync(join(dataDir, 'products'))).toBe(false)
    expect(existsSync(join(dataDir, 'replacing.json'))).toBe(false)
    expect(readdirSync(join(dataDir, 'backups'))).toEqual(['old-state'])
    expect([
      read('backups/old-state/folders/a.jpg'),
      read('backups/old-state/products/a.zip'),
    ]).toEqual(['old', 'old'])
    expect(
      readFileSync(join(dataDir, 'backups/old-state/pitlane.sqlite')).equals(databases.old),
    ).toBe(true)
    rmSync(dataDir, { recursive: true })
  }
})

test('while it cannot be finished nothing starts, and nothing is lost', async () => {
  const databases = { old: await databaseOf('http://old'), new: await databaseOf('http://new') }
  const dataDir = cutOff(0, databases)
  // A directory in the way of the last step.
  mkdirSync(join(dataDir, 'backups/old-state/in-the-way'), { recursive: true })
  expect(() => openDatabase(dataDir)).toThrow(/stopped half way and can’t be completed/)
  expect(() => openDatabase(dataDir)).toThrow(/fix the cause and start again/)
  rmSync(join(dataDir, 'backups/old-state'), { recursive: true })
  await openDatabase(dataDir).close()
  expect(readFileSync(join(dataDir, 'folders/a.jpg'), 'utf8')).toBe('new')
  expect(readFileSync(join(dataDir, 'backups/old-state/folders/a.jpg'), 'utf8')).toBe('old')
  rmSync(dataDir, { recursive: true })
})

test('many may use a state, or one may have it alone', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'pitlane-lock-'))
  const [one, two] = [shareState(dataDir), shareState(dataDir)]
  expect(() => takeState(dataDir)).toThrow(StateInUse)
  one()
  one()
  expect(() => takeState(dataDir)).toThrow(StateInUse)
  two()
  const alone = takeState(dataDir)
  expect(() => openDatabase(dataDir)).toThrow(/is being restored into/)
  alone()
  shareState(dataDir)()
  rmSync(dataDir, { recursive: true })
})
