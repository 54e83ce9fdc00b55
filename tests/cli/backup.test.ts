import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import {
  emptyDirectory,
  halfMade,
  killOnce,
  listBackups,
  makeBackup,
  makeState,
  restore,
  writeEndless,
} from '../support/backups.ts'
import { saveEnquiry } from '../support/enquiry.ts'
import { runCli, runCliProcess } from '../support/run-cli.ts'
import { startSite } from '../support/site.ts'

test('a backup under writes is the state of one moment, with all that was taken before', async () => {
  await using site = await startSite()
  const taken: string[] = []
  const save = async () => {
    const id = `t${String(taken.length).padStart(5, '0')}`
    const from = `127.1.${taken.length % 200}.2`
    expect((await saveEnquiry(site, { 'Ticket ID': id }, { from })).status).toBe(201)
    taken.push(id)
  }
  for (let count = 0; count < 10; count += 1) await save()
  const enough = new AbortController()
  const writes = (async () => {
    while (!enough.signal.aborted) await save()
  })()
  const { code, out } = await runCliProcess(['backup', 'create'], site)
  enough.abort()
  await writes
  expect(code).toBe(0)
  expect(taken.length).toBeGreaterThan(20)
  const path = out.slice(0, out.indexOf(': '))
  expect((await runCli(['backup', 'check', basename(path)], site)).code).toBe(0)

  const elsewhere = { dataDir: emptyDirectory() }
  expect(await restore(elsewhere, path)).toMatchObject({ code: 0, err: '' })
  const { out: tickets } = await runCli(['tickets', 'export', '--format', 'json'], elsewhere)
  const ids = (JSON.parse(tickets) as { ticketId: string }[]).map(({ ticketId }) => ticketId)
  expect(ids.length).toBeGreaterThanOrEqual(10)
  expect(ids.toSorted()).toEqual(taken.slice(0, ids.length))
  rmSync(elsewhere.dataDir, { recursive: true })
})

test('a database that is damaged inside is named, even where the manifest agrees with it', async () => {
  using state = await makeState()
  const path = await makeBackup(state)
  const [file, manifest] = [join(path, 'pitlane.sqlite'), join(path, 'manifest.json')]
  const sha256 = () => createHash('sha256').update(readFileSync(file)).digest('hex')
  const sound = sha256()
  writeFileSync(file, readFileSync(file).fill('x', 8192, 60_000))
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(sound, sha256()))
  const { code, out } = await runCli(['backup', 'check', basename(path)], state)
  expect(code).toBe(1)
  expect(out).toMatch(/^pitlane\.sqlite: /)
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
    const { code, err } = await runCli(['backup', 'remove', name, '--yes'], state)
    expect([name, code, err]).toEqual([name, 1, expect.stringContaining('Not a backup name')])
    expect((await runCli(['backup', 'check', name], state)).code, name).toBe(1)
    expect((await restore(state, name)).code, name).toBe(1)
  }
  expect(state.files()).toHaveProperty('folders/winter/day 1/car.jpg')
  expect(await listBackups(state)).toHaveLength(1)
})

test('a backup is listed, lies in the directory given, and can be removed', async () => {
  using state = await makeState()
  expect((await runCli(['backup', 'list'], state)).out).toBe('No backups.\n')
  // An unset variable of a script would put it where the program is.
  const nowhere = await runCli(['backup', 'create', '--out', ''], state)
  expect([nowhere.code, nowhere.err]).toEqual([2, expect.stringContaining('names no directory')])
  const path = await makeBackup(state)
  const [only] = await listBackups(state)
  expect(only).toMatchObject({ name: basename(path), kind: 'manual', files: 6 })
  expect((await runCli(['backup', 'list'], state)).out).toContain(basename(path))

  const out = emptyDirectory()
  // Of a restore in another state, which is still to be finished.
  const unfinished = join(out, '.before-restore-2026-11-20T12-00-00-000Z.old')
  mkdirSync(unfinished)
  const there = await makeBackup(state, '--out', out)
  expect(there.startsWith(`${out}/`)).toBe(true)
  expect(existsSync(unfinished)).toBe(true)
  expect((await runCli(['backup', 'check', there], state)).code).toBe(0)
  expect(await listBackups(state)).toHaveLength(1)
  const inside = await runCli(['backup', 'create', '--out', join(state.dataDir, 'folders')], state)
  expect([inside.code, inside.err]).toEqual([
    1,
    expect.stringContaining('choose a directory outside'),
  ])

  expect((await runCli(['backup', 'remove', only!.name, '--yes'], state)).code).toBe(0)
  expect(await listBackups(state)).toEqual([])
  const again = await runCli(['backup', 'remove', only!.name, '--yes'], state)
  expect([again.code, again.err]).toEqual([1, `Backup not found: ${only!.name}.\n`])
  rmSync(out, { recursive: true })
})

test('a backup that is killed leaves none behind, and the next one clears it away', async () => {
  using state = await makeState()
  writeEndless(state, 'folders/film/long.mp4')
  const backups = join(state.dataDir, 'backups')
  const begun = () =>
    expect(readdirSync(join(backups, halfMade(state)[0]!, 'folders/film'))).toHaveLength(1)
  await killOnce(begun, state, 'create')
  expect(halfMade(state)).toHaveLength(1)
  expect(await listBackups(state)).toEqual([])
  state.write('folders/film/long.mp4', 'short')
  await makeBackup(state)
  expect(halfMade(state)).toEqual([])
  expect(await listBackups(state)).toHaveLength(1)
})

test('a directory that cannot be written is named, by the command and by the doctor', async () => {
  using state = await makeState()
  const out = emptyDirectory()
  try {
    // Tests that run as root may write everywhere, so a file is in the way.
    mkdirSync(join(out, '.making.lock'))
    const told = `Backups can’t be written to ${out}. Check its owner, the free space, and that its disk isn’t read-only.`
    expect(await runCli(['backup', 'create', '--out', out], state)).toEqual({
      code: 1,
      out: '',
      err: `${told}\n`,
    })
    const below = join(out, 'file', 'backups')
    writeFileSync(join(out, 'file'), 'in the way')
    expect(await runCli(['backup', 'create', '--out', below], state)).toEqual({
      code: 1,
      out: '',
      err: `${told.replace(out, below)}\n`,
    })
    await using site = await startSite({ sending: false, env: { BACKUP_DIR: out } })
    await site.context.jobs.runDue()
    site.clock.advance(86_400_000)
    await site.context.jobs.runDue()
    const backups = site.context.contributions().doctor.find(({ check }) => check === 'backups')
    expect((await backups!.look()).text).toBe(`none yet; the last attempt failed: ${told}`)
  } finally {
    rmSync(out, { recursive: true })
  }
})

test('a disk that became read-only is named when a backup is made or removed there', async ({
  skip,
}) => {
  using state = await makeState()
  const out = emptyDirectory()
  const env = { ...state.env, BACKUP_DIR: out, SITE_URL: 'http://localhost' }
  const { out: said } = await runCli(['backup', 'create'], { ...state, env })
  const path = said.slice(0, said.indexOf(': '))
  const closed = closeToWriting(out)
  try {
    skip(closed === null, 'Nothing can be mounted here.')
    const made = await runCli(['backup', 'create'], { ...state, env })
    expect([made.code, made.err]).toEqual([
      1,
      `Backups can’t be written to ${out}. Check its owner, the free space, and that its disk isn’t read-only.\n`,
    ])
    const removed = await runCli(['backup', 'remove', basename(path), '--yes'], { ...state, env })
    expect([removed.code, removed.err]).toEqual([
      1,
      `${path} can’t be removed. Check the owner of its directory, and that its disk isn’t read-only.\n`,
    ])
  } finally {
    closed?.open()
    rmSync(out, { recursive: true })
  }
})

/** Makes a directory one where nothing can be written: root, who may all, needs a mount for it. */
function closeToWriting(directory: string): { open(): void } | null {
  if (process.getuid?.() !== 0) {
    chmodSync(directory, 0o555)
    return { open: () => chmodSync(directory, 0o755) }
  }
  const run = (program: string, ...args: string[]) => spawnSync(program, args).status === 0
  const mounted = run('mount', '--bind', directory, directory)
  if (!mounted) return null
  run('mount', '-o', 'remount,bind,ro', directory)
  return { open: () => void run('umount', directory) }
}
