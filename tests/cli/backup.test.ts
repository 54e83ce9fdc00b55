import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
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
import { expect, test } from 'vitest'
import { addClient, clientNames, makeBackup, makeState, type State } from '../support/backups.ts'
import { saveEnquiry } from '../support/enquiry.ts'
import { eventually } from '../support/eventually.ts'
import { cliEnvironment, runCli, runCliProcess } from '../support/run-cli.ts'
import { runSql } from '../support/raw-database.ts'
import { startProcess } from '../support/server-process.ts'
import { startSite } from '../support/site.ts'

type Listed = { name: string; kind: string; files: number; bytes: number }

const list = async (state: State) => {
  const { out } = await runCli(['backup', 'list', '--json'], state)
  return JSON.parse(out) as Listed[]
}

const restore = (state: { dataDir: string }, name: string) =>
  runCli(['backup', 'restore', name, '--yes'], state)

const emptyDirectory = () => mkdtempSync(join(tmpdir(), 'pitlane-backup-'))

/** A command in a process of its own that is killed as soon as something has happened. */
async function killedOnce(happened: () => void, state: State, ...args: string[]) {
  const main = join(import.meta.dirname, '../../cli/main.ts')
  const child = spawn(process.execPath, [main, 'backup', ...args], {
    env: { ...cliEnvironment, DATA_DIR: state.dataDir },
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  await eventually(happened)
  child.kill('SIGKILL')
  expect(await ended).toEqual([null, 'SIGKILL'])
}

/** So much that copying it takes a while. */
const longFile = Buffer.alloc(150 * 1024 * 1024, 'pitlane')

test('a backup under writes is whole: it has every ticket that was taken before it began', async () => {
  await using site = await startSite()
  const places = Array.from({ length: 40 }, (_, index) => `t${String(index).padStart(5, '0')}`)
  const save = (id: string, from: string) => saveEnquiry(site, { 'Ticket ID': id }, { from })
  for (const id of places.slice(0, 10)) await save(id, '127.0.0.2')
  const enough = new AbortController()
  const writes = (async () => {
    let count = 0
    for (let turn = 0; !enough.signal.aborted; turn += 1) {
      const id = `w${String(turn).padStart(5, '0')}`
      const { status } = await save(id, `127.1.${turn % 200}.2`)
      if (status === 201) count += 1
    }
    return count
  })()
  const { code, out } = await runCliProcess(['backup', 'create'], site)
  enough.abort()
  expect(await writes).toBeGreaterThan(10)
  expect(code).toBe(0)
  const path = out.slice(0, out.indexOf(': '))
  expect((await runCli(['backup', 'check', basename(path)], site)).code).toBe(0)

  const elsewhere = { dataDir: emptyDirectory() }
  expect(await restore(elsewhere, path)).toMatchObject({ code: 0, err: '' })
  const { out: tickets } = await runCli(['tickets', 'export', '--format', 'json'], elsewhere)
  const ids = (JSON.parse(tickets) as { ticketId: string }[]).map(({ ticketId }) => ticketId)
  expect(ids).toEqual(expect.arrayContaining(places.slice(0, 10)))
  rmSync(elsewhere.dataDir, { recursive: true })
}, 60_000)

test('a restore brings back the whole state, and keeps what was there as a backup', async () => {
  using state = await makeState()
  symlinkSync('car.jpg', join(state.dataDir, 'folders/winter/day 1/cover.jpg'))
  const before = state.files()
  const path = await makeBackup(state)
  expect(existsSync(join(path, 'cache'))).toBe(false)
  expect(existsSync(join(path, 'logs'))).toBe(false)
  expect(statSync(path).mode & 0o777).toBe(0o700)
  for (const name of ['pitlane.sqlite', 'secret-key', 'manifest.json', 'panels/abcdef']) {
    expect(statSync(join(path, name)).mode & 0o777, name).toBe(0o600)
  }

  await addClient(state, 'Later')
  state.write('folders/winter/day 1/car.jpg', 'another car')
  state.write('panels/later', 'later')
  rmSync(join(state.dataDir, 'products'), { recursive: true })
  writeFileSync(join(state.dataDir, 'secret-key'), 'another key')
  const between = state.files()

  const asked = await runCli(['backup', 'restore', basename(path)], state)
  expect(asked.out).toContain('Nothing has been restored. To do it, say --yes.')
  expect(state.files()).toEqual(between)
  expect(await restore(state, basename(path))).toMatchObject({ code: 0, err: '' })
  expect(state.files()).toEqual(before)
  expect(await clientNames(state.dataDir)).toEqual(['Nordic Rally Team'])
  expect(readFileSync(join(state.dataDir, 'cache/folders/preview'), 'utf8')).toBe('made again')

  const [aside] = await list(state)
  expect(aside).toMatchObject({ kind: 'before-restore' })
  expect(await restore(state, aside!.name)).toMatchObject({ code: 0, err: '' })
  expect(state.files()).toEqual(between)
  expect(await clientNames(state.dataDir)).toEqual(['Later', 'Nordic Rally Team'])
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
}, 30_000)

test('a damaged, missing or cut file is named, and such a backup is not restored', async () => {
  using state = await makeState()
  const path = await makeBackup(state)
  const before = state.files()
  writeFileSync(join(path, 'panels/abcdef'), 'a kontract')
  writeFileSync(join(path, 'products/wallpaper.zip'), 'a wall')
  rmSync(join(path, 'secret-key'))
  const { code, out } = await runCli(['backup', 'check', basename(path)], state)
  expect(code).toBe(1)
  expect(out.split('\n').toSorted().join('\n').trim()).toBe(
    [
      'panels/abcdef is damaged',
      'products/wallpaper.zip has 6 bytes, not 11',
      'secret-key is missing',
    ].join('\n'),
  )
  const refused = await restore(state, basename(path))
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('secret-key is missing')])
  expect(state.files()).toEqual(before)
  expect(
    readdirSync(join(state.dataDir, 'backups')).filter((name) => /part|before/.test(name)),
  ).toEqual([])
})

test('a database that is damaged inside is named, even if the manifest was made of it', async () => {
  using state = await makeState()
  runSql(state.dataDir, 'PRAGMA wal_checkpoint(TRUNCATE)')
  const path = await makeBackup(state)
  const file = join(path, 'pitlane.sqlite')
  writeFileSync(file, readFileSync(file).fill('x', 8192, 60_000))
  const { code, out } = await runCli(['backup', 'check', basename(path)], state)
  expect([code, out]).toEqual([
    1,
    expect.stringMatching(/^pitlane\.sqlite is damaged\npitlane\.sqlite: /),
  ])
})

test('what a newer version made is not restored', async () => {
  using state = await makeState()
  const path = await makeBackup(state)
  const manifest = join(path, 'manifest.json')
  const text = readFileSync(manifest, 'utf8')
  for (const [old, newer] of [
    [/"version": "\d+/, '"version": "99'],
    [/"schema": \d+/, '"schema": 9999'],
  ] as const) {
    writeFileSync(manifest, text.replace(old, newer))
    const { code, err } = await restore(state, basename(path))
    expect([code, err]).toEqual([1, expect.stringContaining('Install the newer one first.')])
  }
  expect(await clientNames(state.dataDir)).toEqual(['Nordic Rally Team'])
})

test('a manifest that leads out of the backup is refused', async () => {
  using state = await makeState()
  const path = await makeBackup(state)
  const manifest = join(path, 'manifest.json')
  for (const bad of ['../outside', '/etc/passwd', 'panels/../../x', 'manifest.json', 'a//b']) {
    const text = readFileSync(manifest, 'utf8').replace(
      /"panels\/abcdef"|"bad"/,
      JSON.stringify(bad),
    )
    const copy = join(emptyDirectory(), 'copy')
    await runCli(['backup', 'create', '--out', copy], state)
    const [name] = readdirSync(copy).filter((each) => each.startsWith('2'))
    writeFileSync(join(copy, name!, 'manifest.json'), text)
    const { code, err } = await restore(state, join(copy, name!))
    expect([bad, code, err]).toEqual([bad, 1, expect.stringContaining('is damaged, or of a newer')])
  }
})

test('names that lead elsewhere are refused', async () => {
  using state = await makeState()
  await makeBackup(state)
  for (const name of [
    '..',
    '.',
    '../backups',
    '../folders',
    'a/b',
    '/etc',
    'folders',
    '',
    '.making.lock',
  ]) {
    const { code, err } = await runCli(['backup', 'remove', name], state)
    expect([name, code, err]).toEqual([name, 1, expect.stringContaining('is no name of a backup')])
    expect((await runCli(['backup', 'check', name], state)).code, name).toBe(1)
    expect((await restore(state, name)).code, name).toBe(1)
  }
  expect(state.files()).toHaveProperty('folders/winter/day 1/car.jpg')
  expect(await list(state)).toHaveLength(1)
})

test('a backup is listed, goes where it is told, and can be removed', async () => {
  using state = await makeState()
  expect((await runCli(['backup', 'list'], state)).out).toBe('No backups.\n')
  const path = await makeBackup(state)
  const [only] = await list(state)
  expect(only).toMatchObject({ name: basename(path), kind: 'manual', files: 6 })
  expect((await runCli(['backup', 'list'], state)).out).toContain(basename(path))

  const out = emptyDirectory()
  const there = await makeBackup(state, '--out', out)
  expect(there.startsWith(`${out}/`)).toBe(true)
  expect((await runCli(['backup', 'check', there], state)).code).toBe(0)
  expect(await list(state)).toHaveLength(1)
  const inside = await runCli(['backup', 'create', '--out', join(state.dataDir, 'folders')], state)
  expect([inside.code, inside.err]).toEqual([1, expect.stringContaining('choose a place outside')])

  expect((await runCli(['backup', 'remove', only!.name], state)).code).toBe(0)
  expect(await list(state)).toEqual([])
  const again = await runCli(['backup', 'remove', only!.name], state)
  expect([again.code, again.err]).toEqual([1, `There is no backup ${only!.name}.\n`])
  rmSync(out, { recursive: true })
})

test('a backup that is killed leaves none behind, and the next one clears it away', async () => {
  using state = await makeState()
  state.write('folders/film/long.mp4', longFile)
  const backups = join(state.dataDir, 'backups')
  const parts = () =>
    (existsSync(backups) ? readdirSync(backups) : []).filter((name) => name.endsWith('.part'))
  const begun = () =>
    expect(readdirSync(join(backups, parts()[0]!, 'folders/film'))).toHaveLength(1)
  await killedOnce(begun, state, 'create')
  expect(parts()).toHaveLength(1)
  expect(await list(state)).toEqual([])
  await makeBackup(state)
  expect(parts()).toEqual([])
  expect(await list(state)).toHaveLength(1)
}, 60_000)

test('a restore that is killed while it prepares changes nothing, and can be done again', async () => {
  using state = await makeState()
  state.write('folders/film/long.mp4', longFile)
  const path = await makeBackup(state)
  state.write('folders/film/long.mp4', 'short')
  const before = state.files()
  const backups = join(state.dataDir, 'backups')
  const preparing = () =>
    expect(readdirSync(backups).filter((name) => name.endsWith('.part'))).toHaveLength(1)
  await killedOnce(preparing, state, 'restore', basename(path), '--yes')
  expect(state.files()).toEqual(before)
  expect(await clientNames(state.dataDir)).toEqual(['Nordic Rally Team'])
  expect(await restore(state, basename(path))).toMatchObject({ code: 0, err: '' })
  expect(statSync(join(state.dataDir, 'folders/film/long.mp4')).size).toBe(longFile.length)
  expect(readdirSync(backups).filter((name) => name.endsWith('.part'))).toEqual([])
}, 60_000)
