import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { databaseFile } from '#server/db/open.ts'
import {
  addClient,
  clientNames,
  emptyDirectory,
  halfMade,
  killOnce,
  listBackups,
  longFile,
  makeBackup,
  makeState,
  restore,
} from '../support/backups.ts'
import { runSql } from '../support/raw-database.ts'
import { runCli } from '../support/run-cli.ts'
import { startProcess } from '../support/server-process.ts'

/** A directory on another device than the tests' own; every system has one that isn't a disk. */
const otherDisk = () => {
  const found = ['/proc', '/dev'].find(
    (path) => existsSync(path) && statSync(path).dev !== statSync(tmpdir()).dev,
  )
  if (found === undefined) throw new Error('This system has neither /proc nor /dev.')
  return found
}

test('a restore brings back the whole state, and keeps what was there as a backup', async () => {
  using state = await makeState()
  symlinkSync('car.jpg', join(state.dataDir, 'folders/winter/day 1/cover.jpg'))
  const before = state.files()
  const path = await makeBackup(state)
  expect(existsSync(join(path, 'cache'))).toBe(false)
  expect(existsSync(join(path, 'logs'))).toBe(false)
  expect(statSync(path).mode & 0o777).toBe(0o700)
  for (const name of ['pitlane.sqlite', 'keys.json', 'manifest.json', 'panels/abcdef']) {
    expect(statSync(join(path, name)).mode & 0o777, name).toBe(0o600)
  }

  await addClient(state, 'Later')
  state.write('folders/winter/day 1/car.jpg', 'another car')
  state.write('panels/later', 'later')
  rmSync(join(state.dataDir, 'products'), { recursive: true })
  writeFileSync(join(state.dataDir, 'secret-key'), 'another key')
  const between = state.files()

  const asked = await runCli(['backup', 'restore', basename(path)], state)
  expect(asked.out).toContain('Dry run: nothing changed. Add --yes to restore it.')
  expect(state.files()).toEqual(between)
  expect(await restore(state, basename(path))).toMatchObject({ code: 0, err: '' })
  expect(state.files()).toEqual(before)
  expect(readFileSync(join(state.dataDir, 'secret-key'), 'utf8')).toBe('another key')
  expect(await clientNames(state.dataDir)).toEqual(['Nordic Rally Team'])
  expect(readFileSync(join(state.dataDir, 'cache/folders/preview'), 'utf8')).toBe('made again')

  const [aside] = await listBackups(state)
  expect(aside).toMatchObject({ kind: 'before-restore' })
  expect(await restore(state, aside!.name)).toMatchObject({ code: 0, err: '' })
  expect(state.files()).toEqual(between)
  expect(await clientNames(state.dataDir)).toEqual(['Later', 'Nordic Rally Team'])
})

test('an older backup does not put a clock in doubt that was trusted until now, nor trust one from the future', async () => {
  using state = await makeState()
  const day = 86_400_000
  const trust = (at: number) => {
    runSql(state.dataDir, 'DELETE FROM clock')
    runSql(state.dataDir, 'INSERT INTO clock (only, trusted_at) VALUES (1, ?)', at)
  }
  const trusted = () => {
    const db = new Database(databaseFile(state.dataDir), { readonly: true })
    const at = db.prepare('SELECT trusted_at FROM clock').pluck().get()
    db.close()
    return at
  }
  const now = Date.now()
  const old = now - 5 * day
  trust(old)
  const path = await makeBackup(state)
  trust(now - 60_000)
  expect((await restore(state, basename(path))).code).toBe(0)
  expect(trusted()).toBe(now - 60_000)
  const { out } = await runCli(['doctor'], state)
  expect(out).toMatch(/^ok +clock: /m)
  trust(now + 900 * day)
  expect((await restore(state, basename(path))).code).toBe(0)
  expect(trusted()).toBe(old)
})

test('nothing is restored while a server runs on the state, not even one that says nothing', async () => {
  using state = await makeState()
  const path = await makeBackup(state)
  state.write('panels/later', 'later')
  await using server = await startProcess('tests/support/bare-server.ts', {
    DATA_DIR: state.dataDir,
    SITE_URL: 'http://localhost',
  })
  expect(await restore(state, basename(path))).toEqual({
    code: 1,
    out: '',
    err: `A server or another command is using ${state.dataDir}. Stop it first.\n`,
  })
  expect(state.files()).toHaveProperty('panels/later')
  // Other commands still work, and a server that died holds nothing up.
  expect(await clientNames(state.dataDir)).toEqual(['Nordic Rally Team'])
  await server.kill()
  expect(await restore(state, basename(path))).toMatchObject({ code: 0, err: '' })
  expect(state.files()).not.toHaveProperty('panels/later')
})

test('a damaged, missing or cut file is named, and such a backup is not restored', async () => {
  using state = await makeState()
  const path = await makeBackup(state)
  const before = state.files()
  writeFileSync(join(path, 'panels/abcdef'), 'a kontract')
  writeFileSync(join(path, 'products/wallpaper.zip'), 'a wall')
  rmSync(join(path, 'keys.json'))
  const { code, out } = await runCli(['backup', 'check', basename(path)], state)
  expect(code).toBe(1)
  expect(out.split('\n').toSorted().join('\n').trim()).toBe(
    [
      'keys.json is missing',
      'panels/abcdef is damaged',
      'products/wallpaper.zip has 6 bytes, not 11',
    ].join('\n'),
  )
  const refused = await restore(state, basename(path))
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('keys.json is missing')])
  expect(refused.err).toContain('\nAn older one may be whole: see backup list.')
  expect(state.files()).toEqual(before)
  expect(readdirSync(join(state.dataDir, 'backups')).filter((name) => /before/.test(name))).toEqual(
    [],
  )
})

test('a state that lies on several disks is refused before anything is moved', async () => {
  using state = await makeState()
  const elsewhere = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'pitlane-'))
  const empty = { dataDir: emptyDirectory() }
  try {
    const path = join(elsewhere, 'backup')
    cpSync(await makeBackup(state), path, { recursive: true, preserveTimestamps: true })
    rmSync(join(state.dataDir, 'backups'), { recursive: true })
    const before = state.files()
    symlinkSync(otherDisk(), join(state.dataDir, 'backups'))
    const { code, err } = await restore(state, path)
    expect([code, err]).toEqual([1, expect.stringContaining('backups is on a separate disk')])
    rmSync(join(state.dataDir, 'backups'))
    expect(state.files()).toEqual(before)
    expect(await restore(empty, path)).toMatchObject({ code: 0, err: '' })
    expect(await clientNames(empty.dataDir)).toEqual(['Nordic Rally Team'])
  } finally {
    rmSync(empty.dataDir, { recursive: true })
    rmSync(elsewhere, { recursive: true })
  }
})

test('a backup of a newer version is not restored', async () => {
  using state = await makeState()
  const path = await makeBackup(state)
  const manifest = join(path, 'manifest.json')
  const text = readFileSync(manifest, 'utf8')
  for (const [old, newer, why] of [
    [
      /"version": "\d+/,
      '"version": "99',
      /made by version 99\.\S+ of Pitlane, this is \d\S+\. Install/,
    ],
    [
      /"schema": \d+/,
      '"schema": 9999',
      /its database has migration 9999, this version’s last one is \d+\. Install/,
    ],
  ] as const) {
    writeFileSync(manifest, text.replace(old, newer))
    const { code, err } = await restore(state, basename(path))
    expect([code, err]).toEqual([1, expect.stringMatching(why)])
  }
  expect(await clientNames(state.dataDir)).toEqual(['Nordic Rally Team'])
})

test('a manifest that names caches, locks or other backups is refused', async () => {
  using state = await makeState()
  const path = await makeBackup(state)
  const manifest = join(path, 'manifest.json')
  const sound = readFileSync(manifest, 'utf8')
  for (const bad of ['backups/x', 'cache/x', 'in-use.lock', 'replacing.json']) {
    writeFileSync(manifest, sound.replace('"panels/abcdef"', JSON.stringify(bad)))
    const { code, err } = await restore(state, basename(path))
    expect([code, err]).toEqual([1, expect.stringContaining(`${bad} isn’t part of a backup`)])
  }
  expect(await clientNames(state.dataDir)).toEqual(['Nordic Rally Team'])
})

test('a manifest that points outside the backup is refused', async () => {
  using state = await makeState()
  const path = await makeBackup(state)
  const manifest = join(path, 'manifest.json')
  const sound = readFileSync(manifest, 'utf8')
  for (const bad of ['../outside', '/etc/passwd', 'panels/../../x', 'manifest.json', 'a//b']) {
    writeFileSync(manifest, sound.replace('"panels/abcdef"', JSON.stringify(bad)))
    const { code, err } = await restore(state, basename(path))
    expect([bad, code, err]).toEqual([
      bad,
      1,
      expect.stringContaining('is damaged or from a newer'),
    ])
  }
})

test('a restore that is killed while it prepares changes nothing, and can be done again', async () => {
  using state = await makeState()
  state.write('folders/film/long.mp4', longFile)
  const path = await makeBackup(state)
  state.write('folders/film/long.mp4', 'short')
  const before = state.files()
  const preparing = () => expect(halfMade(state)).toHaveLength(1)
  await killOnce(preparing, state, 'restore', basename(path), '--yes')
  expect(state.files()).toEqual(before)
  expect(await clientNames(state.dataDir)).toEqual(['Nordic Rally Team'])
  expect(await restore(state, basename(path))).toMatchObject({ code: 0, err: '' })
  expect(statSync(join(state.dataDir, 'folders/film/long.mp4')).size).toBe(longFile.length)
  expect(halfMade(state)).toEqual([])
})
