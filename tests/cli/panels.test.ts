import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { nef } from '../support/raw-files.ts'
import { addTeam } from '../support/clients.ts'
import { runCli } from '../support/run-cli.ts'
import { share } from '../support/shared-folder.ts'
import { startSite, type Site } from '../support/site.ts'

let site: Site

beforeEach(async () => {
  site = await startSite()
  await addTeam(site)
  return () => site[Symbol.asyncDispose]()
})

const panels = (...args: string[]) => runCli(['panels', ...args], site)

type Shown = { block: number; kind: string; title: string | null; data: unknown; files: string[] }

const shown = async () => JSON.parse((await panels('show', 'team', '--json')).out) as Shown[]

/** Writes files to hand over. @returns their paths */
function given(...names: string[]): string[] {
  const directory = join(site.dataDir, 'given')
  mkdirSync(directory, { recursive: true })
  return names.map((name) => {
    writeFileSync(join(directory, name), name)
    return join(directory, name)
  })
}

test('panels list shows every panel with its number of blocks', async () => {
  await panels('add', 'team', 'text', '--title', 'Hello', '--text', 'Welcome.')
  expect((await panels('list', '--since', '2999-01-01')).out).toBe('No panels.\n')
  expect(JSON.parse((await panels('list', '--json')).out)).toMatchObject([
    { panel: 'team', blocks: 1 },
  ])
})

test('blocks are added at the end, and moved', async () => {
  await panels('add', 'team', 'text', '--title', 'Hello', '--text', 'Welcome.')
  await panels('add', 'team', 'notes', '--text-file', ...given('note.txt'))
  const link = ['--link', 'Cut 1/2=https://example.com/?a=b', '--link', '/portfolio']
  expect((await panels('add', 'team', 'links', ...link)).out).toBe('Block 3: added\n')
  await panels('move', '3', '1')
  expect(await shown()).toMatchObject([
    {
      block: 3,
      data: {
        links: [
          { title: 'Cut 1/2', url: 'https://example.com/?a=b' },
          { title: '/portfolio', url: '/portfolio' },
        ],
      },
    },
    { block: 1, title: 'Hello', data: { text: 'Welcome.' } },
    { block: 2, title: null, data: { text: 'note.txt' } },
  ])
})

test('a folder is put into a panel by what it is called, and kept by its key', async () => {
  const password = 'Talvi'
  const folder = await share(site, 'winter', { 'a.jpg': 'a' }, { password, alias: 'kaamos' })
  const { out } = await panels('add', 'team', 'folders', '--folder', 'Kaamos')
  expect(out).toContain(
    'Block 1: added\nA folder without a password now opens only for the clients',
  )
  expect(await shown()).toMatchObject([{ data: { folders: [folder.key] } }])
  const unknown = await panels('edit', '1', '--folder', folder.key, 'nowhere')
  expect(unknown).toMatchObject({ code: 1, err: 'Folder not found: nowhere.\n' })
})

test('a block is changed in what is given, and removed', async () => {
  const { panels: store } = site.context.features.clients
  const text = { clientId: 1, kind: 'text', title: 'Hello', data: { text: 'Welcome.' } }
  for (const block of [text, text, text]) await site.context.commit((tx) => store.add(tx, block))
  await panels('edit', '1', '--title', '', '--text', 'Good evening.')
  await panels('edit', '2', '--title', 'Good morning')
  await panels('remove', '3', '--yes')
  expect(await shown()).toMatchObject([
    { block: 1, title: null, data: { text: 'Good evening.' } },
    { block: 2, title: 'Good morning', data: { text: 'Welcome.' } },
  ])
  expect((await panels('show', 'team')).out).toContain('Good evening.')
})

test('files are copied in, and away again with their block', async () => {
  const kept = () => readdirSync(join(site.dataDir, 'panels'))
  await panels('add', 'team', 'files', '--file', ...given('a – ä.pdf', 'b.pdf'))
  expect(await shown()).toMatchObject([{ files: ['a – ä.pdf', 'b.pdf'] }])
  expect(kept()).toHaveLength(2)
  await panels('edit', '1', '--drop-file', 'b.pdf', '--file', ...given('c.pdf'))
  expect(await shown()).toMatchObject([{ files: ['a – ä.pdf', 'c.pdf'] }])
  expect(kept()).toHaveLength(2)
  await panels('remove', '1', '--yes')
  expect(kept()).toEqual([])
})

test('a change that fails leaves no file behind', async () => {
  const missing = join(site.dataDir, 'missing.pdf')
  const added = await panels('add', 'team', 'files', '--file', ...given('a.pdf'), missing)
  expect(added.code).toBe(1)
  expect(await shown()).toEqual([])
  const directory = join(site.dataDir, 'panels')
  expect(existsSync(directory) ? readdirSync(directory) : []).toEqual([])
})

test.each([
  ['an unknown kind', ['add', 'team', 'poem', '--text', 'a'], 2],
  ['a text block without text', ['add', 'team', 'text'], 1],
  ['a link that runs', ['add', 'team', 'links', '--link', 'A=javascript:alert(1)'], 1],
  ['a link with credentials', ['add', 'team', 'links', '--link', 'https://a:b@example.com'], 1],
  ['a link to another host in disguise', ['add', 'team', 'links', '--link', '//example.com'], 1],
  ['a text in a block of files', ['add', 'team', 'files', '--text', 'a'], 1],
  ['an unknown block', ['remove', '7'], 1],
  ['an unknown client', ['show', 'nobody'], 1],
  ['a place that is none', ['move', '1', 'first'], 2],
])('%s is refused', async (_, args, exit) => {
  const { code, err } = await panels(...args)
  expect(code).toBe(exit)
  expect(err).not.toBe('')
})

test('files of a block leave without their place, unless staff say so', async () => {
  await panels('add', 'team', 'files', '--file', ...given('a.jpg'))
  await panels('edit', '1', '--keep-location')
  expect(await shown()).toMatchObject([{ data: { keepLocation: true } }])
  await panels('edit', '1', '--no-keep-location')
  expect(await shown()).toMatchObject([{ data: { keepLocation: false }, files: ['a.jpg'] }])
  const text = await panels('add', 'team', 'text', '--text', 'x', '--keep-location')
  expect([text.code, text.err]).toEqual([1, '--keep-location doesn’t apply to text blocks.\n'])
})

test('panels add lists the files that are held back, and what opens them', async () => {
  const path = join(site.dataDir, 'DSC_1.NEF')
  writeFileSync(path, nef())
  const added = await panels('add', 'team', 'files', '--file', path, ...given('a.jpg'))
  expect(added.out).toContain('withheld: DSC_1.NEF\n')
  expect(added.out).toContain('panels edit 1 --keep-location')
  expect(added.out).not.toContain('a.jpg')
  expect((await panels('edit', '1', '--keep-location')).out).not.toContain('withheld')
})
