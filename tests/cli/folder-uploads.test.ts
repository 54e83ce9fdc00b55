import { spawn } from 'node:child_process'
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { stageFile } from '#server/folders/uploads/local-files.ts'
import { eventually } from '../support/eventually.ts'
import { bareEnvironment } from '../support/bare-environment.ts'
import { runCli } from '../support/run-cli.ts'
import { noise, photo, share, writeFiles } from '../support/shared-folder.ts'
import { startSite } from '../support/site.ts'

/** A directory of the photographer's own. */
function withCard() {
  const path = mkdtempSync(join(tmpdir(), 'card-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

test('folders upload copies files by the rules for uploads, and repeats what was interrupted', async () => {
  await using site = await startSite({ sending: false })
  using card = withCard()
  const { key, id } = await share(site, 'rally', { 'PIT_2.jpg': await photo(61) })
  const files = ['PIT_1.jpg', 'PIT_2.jpg', 'setup.exe', 'missing.jpg'].map((name) =>
    join(card.path, name),
  )
  writeFileSync(files[0]!, await photo())
  writeFileSync(files[1]!, await photo(62))
  writeFileSync(files[2]!, 'MZ')
  const upload = (...more: string[]) =>
    runCli(['folders', 'upload', key, ...files, '--by', 'Noora', ...more], site)
  const first = await upload()
  expect(first.code).toBe(1)
  expect(first.out).toContain('added: PIT_1.jpg\n')
  expect(first.out).toContain('added: PIT_2.jpg as PIT_2 (2).jpg')
  expect(first.out).toContain('refused: setup.exe (Galleries don’t take .exe files.)')
  expect(first.out).toContain('refused: missing.jpg (There’s no such file.)')
  expect(first.out).toMatch(/^3 files, [\d.]+ (?:bytes|kB): 2 new/m)
  expect(first.err).toContain('2 of 4 files weren’t taken.')
  const { store } = site.context.features.folders
  expect(store.files(id).map(({ name }) => name)).toEqual([
    'PIT_1.jpg',
    'PIT_2 (2).jpg',
    'PIT_2.jpg',
  ])
  expect(site.context.timeline.of('folder', String(id)).at(-1)).toMatchObject({
    actor: 'Noora',
    act: 'uploaded',
    after: '2 files',
  })
  const inSection = await runCli(
    ['folders', 'upload', key, files[0]!, '--section', 'Day 2', '--by', 'Noora'],
    site,
  )
  expect(inSection.out).toContain('added: PIT_1.jpg as Day 2/PIT_1.jpg\n')
  const drawing = join(card.path, 'livery.psd')
  writeFileSync(drawing, `8BPS\0\x01${'\0'.repeat(40)}`)
  const unseen = await runCli(['folders', 'upload', key, drawing, '--by', 'Noora'], site)
  expect(unseen.out).toContain('no preview: livery.psd (clients see its name alone)\n')
  expect(first.out).not.toContain('no preview')
  rmSync(join(site.dataDir, 'folders/rally/livery.psd'))
  rmSync(drawing)
  const mac = join(card.path, 'Mäki.jpg'.normalize('NFD'))
  writeFileSync(mac, await photo(63))
  const composed = await runCli(['folders', 'upload', key, mac, '--by', 'Noora'], site)
  expect(composed.out).toContain(`added: ${basename(mac)}\n`)
  rmSync(mac)
  const again = await upload('--json')
  const answer = JSON.parse(again.out) as { files: { state: string }[]; sync: { added: number } }
  expect(answer.files.map(({ state }) => state)).toEqual(['same', 'same', 'refused', 'refused'])
  expect(answer.sync.added).toBe(0)
  expect(readdirSync(join(site.dataDir, 'uploads'))).toEqual([])
  expect(readdirSync(card.path)).toHaveLength(3)
})

test('a copy that was cut goes on where it ended, and begins anew if that was wrong', async () => {
  await using site = await startSite({ sending: false })
  using card = withCard()
  const { id, key } = await share(site, 'rally', {})
  const film = join(card.path, 'film.txt')
  const bytes = Buffer.from(noise(300_000).toString('hex'))
  writeFileSync(film, bytes)
  const { uploads, store } = site.context.features.folders
  const stage = () => stageFile({ id }, film, uploads.dir)
  const { staged } = await stage()
  const { ino } = statSync(staged)
  truncateSync(staged, 1000)
  await stage()
  expect(statSync(staged).ino).toBe(ino)
  expect(readFileSync(staged).equals(bytes)).toBe(true)
  writeFileSync(staged, Buffer.alloc(1000))
  const { out } = await runCli(['folders', 'upload', key, film], site)
  expect(out).toContain('added: film.txt')
  expect(readFileSync(join(site.dataDir, 'folders/rally/film.txt')).equals(bytes)).toBe(true)
  expect(store.files(id)).toHaveLength(1)
})

test('while one file is still written, another that is whole comes alone, and no pick is lost', async () => {
  await using site = await startSite({ sending: false })
  const { acts, store, sync } = site.context.features.folders
  const folder = await share(site, 'rally', { 'a.jpg': await photo() })
  const { id } = store.files(folder.id)[0]!
  const stop = new AbortController()
  const came: string[][] = []
  const watching = acts.watch(folder, ({ added }) => came.push(added), stop.signal)
  await eventually(() => expect(came).toHaveLength(1))
  const bytes = await photo(600, 400)
  const directory = join(site.dataDir, 'folders/rally')
  const half = openSync(join(directory, 'half.jpg'), 'w')
  // Meanwhile a picture in the gallery is exported again: removed, then written.
  rmSync(join(directory, 'a.jpg'))
  const again = openSync(join(directory, 'a.jpg'), 'w')
  let at = 0
  const writing = setInterval(() => {
    writeSync(half, bytes, at, 1)
    writeSync(again, bytes, at, 1)
    at += 1
  }, 200)
  try {
    writeFiles(site, 'rally', { 'whole.jpg': await photo() })
    await eventually(() => expect(came.flat()).toEqual(['whole.jpg']))
    expect(store.files(folder.id).map(({ path }) => path)).toEqual(['a.jpg', 'whole.jpg'])
  } finally {
    clearInterval(writing)
    for (const file of [half, again]) {
      writeSync(file, bytes, at)
      closeSync(file)
    }
  }
  await eventually(() => expect(came.flat()).toEqual(['whole.jpg', 'half.jpg']))
  await eventually(() => expect(store.file(folder.id, id)!.size).toBe(bytes.length))
  stop.abort()
  await watching
  expect((await sync(folder)).changed).toBe(0)
})

test('a file of a camera whose clock is ahead comes as any other, and is waited for as any other', async () => {
  await using site = await startSite({ sending: false })
  const { acts } = site.context.features.folders
  const folder = await share(site, 'rally', { 'a.jpg': await photo() })
  const tomorrow = new Date(Date.now() + 86_400_000)
  const directory = join(site.dataDir, 'folders/rally')
  const stop = new AbortController()
  const came: string[][] = []
  const watching = acts.watch(folder, ({ added }) => came.push(added), stop.signal)
  await eventually(() => expect(came).toHaveLength(1))
  const half = openSync(join(directory, 'half.txt'), 'w')
  const writing = setInterval(() => {
    writeSync(half, 'x')
    utimesSync(join(directory, 'half.txt'), tomorrow, tomorrow)
  }, 200)
  try {
    writeFiles(site, 'rally', { 'ahead.jpg': await photo() })
    utimesSync(join(directory, 'ahead.jpg'), tomorrow, tomorrow)
    await eventually(() => expect(came.flat()).toEqual(['ahead.jpg']))
  } finally {
    clearInterval(writing)
    closeSync(half)
  }
  await eventually(() => expect(came.flat()).toEqual(['ahead.jpg', 'half.txt']))
  stop.abort()
  await watching
})

test('folders watch syncs as files appear, prints them and ends on Ctrl-C', async () => {
  await using site = await startSite({ sending: false })
  const folder = await share(site, 'rally', { 'a.txt': 'a' })
  mkdirSync(join(site.dataDir, 'folders/rally/stage-2'))
  const main = join(import.meta.dirname, '../../cli/main.ts')
  const watching = spawn(process.execPath, [main, 'folders', 'watch', folder.key], {
    env: { ...bareEnvironment, DATA_DIR: site.dataDir },
  })
  let out = ''
  watching.stdout.on('data', (chunk) => (out += String(chunk)))
  const ended = new Promise<number | null>((resolve) => watching.once('exit', resolve))
  try {
    await eventually(() => expect(out).toContain('Watching Arctic Rally. Ctrl-C ends.'))
    writeFiles(site, 'rally', { 'stage-2/PIT_1.jpg': await photo(), '.PIT_2.jpg.part': 'half' })
    await eventually(() => expect(out).toContain('new: stage-2/PIT_1.jpg\n2 files, '))
    const { store } = site.context.features.folders
    expect(store.files(folder.id).map(({ path }) => path)).toEqual(['a.txt', 'stage-2/PIT_1.jpg'])
    rmSync(join(site.dataDir, 'folders/rally/a.txt'))
    await eventually(() => expect(out).toMatch(/^1 file, .*: 0 new, 0 changed, 1 gone$/m))
  } finally {
    watching.kill('SIGINT')
  }
  expect(await ended).toBe(0)
  expect(out).toContain('1 new file.')
})
