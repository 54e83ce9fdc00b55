import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import {
  clientNames,
  emptyDirectory,
  halfMade,
  killOnce,
  listBackups,
  makeState,
  writeEndless,
} from '../support/backups.ts'
import { contentFiles } from '../support/content-files.ts'
import { runCli } from '../support/run-cli.ts'
import { startSite } from '../support/site.ts'

const service = (title: string) => [{ id: 1, title, url: 'photography' }]

test('content beside DATA_DIR is in backups, and a restore puts it back', async () => {
  using state = await makeState()
  using files = contentFiles({
    'services.json': service('Before'),
    'news/a.html': '<p>Before</p>',
    'assets/car.jpg': Buffer.from('picture'),
    '.git/HEAD': 'none of our business',
  })
  const asked = { dataDir: state.dataDir, env: { CONTENT_DIR: files.dir } }
  const read = (path: string) => readFileSync(join(files.dir, path), 'utf8')
  expect((await runCli(['backup', 'create'], asked)).code).toBe(0)
  const [made] = await listBackups(state)

  files.write('services.json', service('After'))
  files.write('news/b.html', '<p>New</p>')
  files.remove('assets/car.jpg')
  const { code, out, err } = await runCli(['backup', 'restore', made!.name, '--yes'], asked)
  expect([code, err]).toEqual([0, ''])
  expect(JSON.parse(read('services.json'))).toEqual(service('Before'))
  expect(read('news/a.html')).toBe('<p>Before</p>')
  expect(read('assets/car.jpg')).toBe('picture')
  expect(read('.git/HEAD')).toBe('none of our business')
  expect(existsSync(join(files.dir, 'news/b.html'))).toBe(false)
  expect(readdirSync(state.dataDir)).not.toContain('content-dir')

  // What was there before is a backup, too.
  const aside = /previous state is in (.+)\./.exec(out)![1]!
  expect((await runCli(['backup', 'check', basename(aside)], asked)).code).toBe(0)
  expect((await runCli(['backup', 'restore', basename(aside), '--yes'], asked)).code).toBe(0)
  expect(JSON.parse(read('services.json'))).toEqual(service('After'))
  expect(read('news/b.html')).toBe('<p>New</p>')
  expect(existsSync(join(files.dir, 'assets/car.jpg'))).toBe(false)

  // On a new machine there was no state, but perhaps sample content.
  const dataDir = emptyDirectory()
  const elsewhere = { dataDir, env: { CONTENT_DIR: files.dir } }
  const backup = join(state.dataDir, 'backups', made!.name)
  const moved = await runCli(['backup', 'restore', backup, '--yes'], elsewhere)
  expect(moved.out).not.toContain('previous state')
  const kept = new RegExp(
    `There was no state here\\. What was in ${files.dir} before is in (.+)\\.\n`,
  ).exec(moved.out)![1]!
  expect(readFileSync(join(kept, 'news/b.html'), 'utf8')).toBe('<p>New</p>')

  // No site can be made of that, but it isn't damaged either.
  const name = basename(dirname(kept))
  const checked = await runCli(['backup', 'check', name], elsewhere)
  expect(checked).toMatchObject({ code: 0, err: '' })
  expect(checked.out).toContain(
    'It can’t be restored: there was no database when it was set aside.',
  )
  const refused = await runCli(['backup', 'restore', name, '--yes'], elsewhere)
  expect(refused).toMatchObject({ code: 1, out: '' })
  expect(refused.err).toContain(`files of CONTENT_DIR are in ${kept}.`)
  expect(await clientNames(dataDir)).toEqual(await clientNames(state.dataDir))
  writeFileSync(join(kept, 'news/b.html'), 'cut')
  expect((await runCli(['backup', 'check', name], elsewhere)).code).toBe(1)
  rmSync(dataDir, { recursive: true })
})

test('a restore that was cut off before the content is finished by the next start', async () => {
  using files = contentFiles({ 'services.json': service('Present') })
  await using site = await startSite({ env: { CONTENT_DIR: files.dir }, sending: false })
  await site.context.close()
  using waiting = contentFiles()
  waiting.write('content-dir/services.json', service('Restored'))
  cpSync(join(waiting.dir, 'content-dir'), join(site.dataDir, 'content-dir'), { recursive: true })
  await using again = await startSite({
    env: { CONTENT_DIR: files.dir },
    dataDir: site.dataDir,
    sending: false,
  })
  expect(await again.context.content.rows('services')).toMatchObject([{ title: 'Restored' }])
  expect(existsSync(join(site.dataDir, 'content-dir'))).toBe(false)
})

test('a restore that is killed before it changes anything undoes no later edit of the content', async () => {
  using state = await makeState()
  using files = contentFiles({ 'services.json': service('Before') })
  const env = { CONTENT_DIR: files.dir }
  const asked = { dataDir: state.dataDir, env }
  expect((await runCli(['backup', 'create'], asked)).code).toBe(0)
  const [made] = await listBackups(state)
  // The restore looks at it after it has copied the content.
  writeEndless(state, 'folders/film/long.mp4')
  const copied = () => {
    const old = halfMade(state).filter((name) => name.endsWith('.old'))
    const places = [state.dataDir, ...old.map((name) => join(state.dataDir, 'backups', name))]
    expect(places.some((place) => existsSync(join(place, 'content-dir')))).toBe(true)
  }
  await killOnce(copied, { ...state, env }, 'restore', made!.name, '--yes')
  state.write('folders/film/long.mp4', 'short')

  files.write('services.json', service('Edited'))
  files.write('news/new.html', '<p>New</p>')
  expect((await runCli(['clients', 'list'], asked)).code).toBe(0)
  const read = (path: string) => readFileSync(join(files.dir, path), 'utf8')
  expect(JSON.parse(read('services.json'))).toEqual(service('Edited'))
  expect(read('news/new.html')).toBe('<p>New</p>')
  // The next backup removes what is left of it.
  expect((await runCli(['backup', 'create'], asked)).code).toBe(0)
  expect(halfMade(state)).toEqual([])
})

test('content in DATA_DIR is filled at the first start, and kept from then on', async () => {
  using state = await makeState()
  const contentDir = join(state.dataDir, 'content')
  const env = { CONTENT_DIR: contentDir }
  const start = () => startSite({ env, dataDir: state.dataDir, sending: false })
  await using first = await start()
  expect((await first.context.content.rows('services')).length).toBeGreaterThan(4)
  await first.context.close()
  writeFileSync(join(contentDir, 'services.json'), JSON.stringify(service('Ours')))
  await using second = await start()
  expect(await second.context.content.rows('services')).toMatchObject([{ title: 'Ours' }])
  await second.context.close()

  const asked = { dataDir: state.dataDir, env }
  expect((await runCli(['backup', 'create'], asked)).code).toBe(0)
  const [made] = await listBackups(state)
  writeFileSync(join(contentDir, 'services.json'), '[]')
  expect((await runCli(['backup', 'restore', made!.name, '--yes'], asked)).code).toBe(0)
  expect(JSON.parse(readFileSync(join(contentDir, 'services.json'), 'utf8'))).toEqual(
    service('Ours'),
  )
})
