import { expect, test } from 'vitest'
import { runOn } from '../support/in-process-cli.ts'
import { runCli } from '../support/run-cli.ts'
import { share } from '../support/shared-folder.ts'
import { startSite } from '../support/site.ts'

test('a client is added, listed, shown, changed and disabled', async () => {
  await using site = await startSite()
  const cli = (...args: string[]) => runCli(['clients', ...args], site)
  const added = await cli('add', 'Ääni & Vauhti Oy', '--email', 'a@example.com', 'b@example.com')
  expect(added).toMatchObject({ code: 0, err: '' })
  expect(added.out).toBe(`aani-vauhti-oy: added. ${site.url}/panel/aani-vauhti-oy\n`)
  expect(JSON.parse((await cli('list', '--json')).out)).toMatchObject([
    {
      id: 1,
      panel: 'aani-vauhti-oy',
      name: 'Ääni & Vauhti Oy',
      season: null,
      emails: ['a@example.com', 'b@example.com'],
      disabled: null,
    },
  ])
  const more = await cli('add', 'Second', '--email', 'd@example.com', '--json')
  expect(JSON.parse(more.out)).toMatchObject({ panel: 'second', emails: ['d@example.com'] })
  const edited = ['--season', '2027', '--panel', 'vauhti', '--email', 'c@example.com']
  expect((await cli('edit', 'aani-vauhti-oy', ...edited)).code).toBe(0)
  const shown = JSON.parse((await cli('show', 'vauhti', '--json')).out)
  expect(shown).toMatchObject({ season: '2027', emails: ['c@example.com'], activity: [] })
  expect((await cli('disable', '1')).out).toBe('vauhti: disabled\n')
  expect((await cli('list')).out).toContain('disabled')
  expect((await cli('disable', '1', '--undo')).out).toBe('vauhti: active\n')
  expect((await cli('list')).out).toContain('active')
  expect((await cli('disable', 'vauhti')).out).toBe('vauhti: disabled\n')
  expect((await cli('enable', 'vauhti')).out).toBe('vauhti: active\n')
})

test.each([
  ['an unknown client', ['show', 'nobody'], 1, 'Client not found: nobody.'],
  ['no name', ['add'], 2, "missing required argument 'name'"],
  ['an empty name', ['add', ' ', '--panel', 'x'], 1, 'Enter a name for the client.'],
  ['a bad address', ['add', 'A', '--email', 'nowhere'], 1, 'nowhere is not an email address.'],
  [
    'a name without letters',
    ['add', '村'],
    1,
    'Use --panel with up to 64 of a-z, 0-9 and hyphens.',
  ],
  ['a name of signs', ['add', '🏁'], 1, 'No panel code can be made from “🏁”. Use --panel'],
  [
    'an empty panel code',
    ['add', 'A', '--panel', ''],
    1,
    'An empty text isn’t a valid panel code.',
  ],
  ['a long panel code', ['add', 'A', '--panel', 'a'.repeat(65)], 1, 'with up to 64 of a-z'],
  ['a path', ['add', 'A', '--panel', '../etc'], 1, 'isn’t a valid panel code'],
])('%s is refused with a sentence', async (_, args, code, sentence) => {
  await using site = await startSite()
  const result = await runCli(['clients', ...args], site)
  expect(result.code).toBe(code)
  expect(result.err).toContain(sentence)
  expect(result.out).toBe('')
})

test('a client with a long name has a panel named after the words that fit', async () => {
  await using site = await startSite()
  const name = 'Valtakunnallinen Kestävyysautourheilun ja Jääratakilpailujen Kannatusyhdistys ry'
  const { out, err } = await runCli(['clients', 'add', name], site)
  expect([out, err]).toEqual([
    expect.stringContaining(
      '/panel/valtakunnallinen-kestavyysautourheilun-ja-jaaratakilpailujen\n',
    ),
    '',
  ])
})

test('two clients cannot have the same panel', async () => {
  await using site = await startSite()
  await runCli(['clients', 'add', 'Team'], site)
  const again = await runCli(['clients', 'add', 'Team'], site)
  expect(again).toMatchObject({ code: 1, err: 'Panel team already belongs to another client.\n' })
})

test('the folders of a client take its new name, those of another client with the old one don’t', async () => {
  await using site = await startSite({ sending: false })
  const folder = await share(site, 'imatra', {}, { client: 'Team Kamos' })
  await runOn(site, 'clients', 'add', 'Team kamos')
  const clientOfFolder = () => site.context.features.folders.store.find(folder.key)!.client
  await runOn(site, 'clients', 'rename', 'team-kamos', 'team kaamos')
  await runOn(site, 'clients', 'rename', 'team-kamos', 'Team Kaamos')
  expect(clientOfFolder()).toBe('Team Kaamos')
  await runOn(site, 'clients', 'add', 'TEAM KAAMOS', '--panel', 'other')
  await runOn(site, 'clients', 'rename', 'other', 'Pit Wall')
  expect(clientOfFolder()).toBe('Team Kaamos')
})
