import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runOn } from '../support/in-process-cli.ts'
import { send } from '../support/send.ts'
import { startSite, type Site } from '../support/site.ts'
import { signIn } from '../support/staff.ts'

/** Who did what to a thing, as its timeline has it. */
const doneTo = ({ context }: Site, thing: string, id: string) =>
  context.timeline.of(thing, id).map(({ actor, act }) => `${actor}: ${act}`)

test('what staff do with clients, codes and panels is in the timeline, with who did it', async () => {
  await using site = await startSite({ sending: false })
  const by = ['--by', 'mika']
  await runOn(site, 'clients', 'add', 'Team', ...by)
  await runOn(site, 'clients', 'edit', 'team', '--season', '2027', ...by)
  const { code } = JSON.parse(await runOn(site, 'codes', 'create', 'team', '--json', ...by)) as {
    code: string
  }
  await runOn(site, 'codes', 'extend', '1', '--expires', '30d', '--by', 'aino')
  await runOn(site, 'codes', 'rotate', '1', ...by)
  await runOn(site, 'codes', 'revoke', '2', ...by)
  await runOn(site, 'panels', 'add', 'team', 'text', '--text', 'Welcome.', ...by)
  await runOn(site, 'panels', 'edit', '1', '--text', 'Hello.', ...by)
  await runOn(site, 'panels', 'move', '1', '1', ...by)
  await runOn(site, 'panels', 'remove', '1', '--yes', ...by)
  await runOn(site, 'clients', 'disable', 'team', ...by)
  await runOn(site, 'clients', 'disable', 'team', ...by)
  await runOn(site, 'clients', 'enable', 'team', ...by)
  expect(doneTo(site, 'client', '1')).toEqual([
    'mika: added',
    'mika: changed',
    'mika: code created',
    'aino: code extended',
    'mika: code rotated',
    'mika: code revoked',
    'mika: block added',
    'mika: block changed',
    'mika: block moved',
    'mika: block removed',
    'mika: disabled',
    'mika: enabled',
  ])
  // The timeline names codes by their numbers.
  expect(JSON.stringify(site.context.timeline.of('client', '1'))).not.toContain(code)
})

test('what staff do with folders is in the timeline, without what opens them', async () => {
  await using site = await startSite({ sending: false })
  mkdirSync(join(site.dataDir, 'folders/rally'), { recursive: true })
  writeFileSync(join(site.dataDir, 'folders/rally/a.txt'), 'a')
  const by = ['--by', 'mika']
  const added = await runOn(site, 'folders', 'add', 'rally', '--json', ...by)
  const { folder: key } = JSON.parse(added) as { folder: string }
  await runOn(site, 'folders', 'set', key, '--title', 'Arctic Rally', ...by)
  for (const verb of ['expire', 'revoke', 'enable']) await runOn(site, 'folders', verb, key, ...by)
  const { id } = site.context.features.folders.store.find(key)!
  expect(doneTo(site, 'folder', String(id))).toEqual([
    'mika: shared',
    'mika: changed',
    'mika: expired',
    'mika: revoked',
    'mika: enabled',
  ])
  expect(JSON.stringify(site.context.timeline.of('folder', String(id)))).not.toContain(key)
})

test('what staff do with links is in the timeline, from the command line and the page alike', async () => {
  await using site = await startSite({ sending: false })
  const url = 'https://example.com/'
  await runOn(site, 'links', 'create', url, '--code', 'season27', '--by', 'mika')
  await runOn(site, 'links', 'disable', 'season27', '--by', 'aino')
  const { headers } = await signIn(site, ['links'], { name: 'Pit Wall' })
  const reply = await send(`${site.url}/api/links/season27`, {
    method: 'PATCH',
    body: { note: 'Poster' },
    headers: { ...headers, 'Content-Type': 'application/json', Origin: site.url },
  })
  expect(reply.status).toBe(200)
  expect(doneTo(site, 'link', 'season27')).toEqual([
    'mika: created',
    'aino: disabled',
    'Pit Wall: changed',
  ])
})
