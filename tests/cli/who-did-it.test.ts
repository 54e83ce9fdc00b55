import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { allVerbs, runOn } from '../support/in-process-cli.ts'
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
  for (const verb of ['revoke', 'enable', 'expire']) await runOn(site, 'folders', verb, key, ...by)
  const { id } = site.context.features.folders.store.find(key)!
  expect(doneTo(site, 'folder', String(id))).toEqual([
    'mika: shared',
    'mika: changed',
    'mika: revoked',
    'mika: enabled',
    'mika: expired',
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

/** Verbs that only read, write files elsewhere, or ask for a link or a calculation. */
const readingVerbs =
  /^(?:today|find|person|history|doctor|completion|sitemap build|stats \w+|.* (?:list|show|due|trace|export|emails|held|issues|favourites|stats|qr|notices|feeds|changes|blocks|files|check|retention|preview|sheet|agreement|invoice|documents|licence|packing|customs|pack|books|vat-return|eu-sales-list|stock-list|oss-report|sessions))$/

test('the history names clients, folders and products as staff call them', async () => {
  await using site = await startSite({ sending: false })
  mkdirSync(join(site.dataDir, 'folders/rally'), { recursive: true })
  const by = ['--by', 'mika']
  await runOn(site, 'clients', 'add', 'Team Kaamos', ...by)
  const added = await runOn(site, 'folders', 'add', 'rally', '--title', 'Arctic', '--json', ...by)
  const { folder } = JSON.parse(added) as { folder: string }
  const [product] = site.context.features.shop.catalogue.list()
  await runOn(site, 'products', 'edit', product!.handle, '--title', 'New', ...by)
  const told = await runOn(site, 'history', '--who', 'mika')
  for (const name of ['client team-kaamos', 'folder Arctic', `product ${product!.handle}`]) {
    expect(told).toContain(name)
  }
  const found: unknown = JSON.parse(await runOn(site, 'history', '--search', 'arctic', '--json'))
  expect(found).toMatchObject([{ thing: 'folder', name: 'Arctic', act: 'shared' }])
  await runOn(site, 'folders', 'remove', folder, '--yes', ...by)
  expect(await runOn(site, 'history', '--search', 'Arctic')).toContain('removed')
})

/** Verbs whose noun belongs to no one's history yet, each with what it does. */
const withoutHistory = new Map([
  ['links purge-expired', 'removes what has expired, as staff could wait for'],
  ['folders sync', 'takes over what is in a directory'],
  ['folders watch', 'the same, as files appear'],
])

test('every verb that changes something says who does it', async () => {
  const verbs = await allVerbs()
  const silent = verbs
    .filter(({ path, options }) => !readingVerbs.test(path) && !options.includes('--by'))
    .map(({ path }) => path)
  expect(silent.toSorted()).toEqual([...withoutHistory.keys()].toSorted())
  expect(verbs.length).toBeGreaterThan(100)
})

test('what staff do with the site itself is in its history, newest first, with who did it', async () => {
  await using site = await startSite({ sending: false })
  const by = ['--by', 'mika']
  const backup = /^\S*\/(\S+):/.exec(await runOn(site, 'backup', 'create', ...by))![1]!
  await runOn(site, 'backup', 'remove', backup, '--by', 'aino')
  expect(JSON.parse(await runOn(site, 'backup', 'list', '--json'))).toHaveLength(1)
  await runOn(site, 'backup', 'remove', backup, '--yes', '--by', 'aino')
  await runOn(site, 'keys', 'rotate', ...by)
  await runOn(site, 'keys', 'revoke', '--yes', ...by)
  await runOn(site, 'doctor', '--accept-clock', ...by)
  const { commit, jobs } = site.context
  await commit((tx) => jobs.schedule(tx, 'digest.send', '', site.clock() + 3_600_000))
  await runOn(site, 'jobs', 'run', 'digest.send', ...by)
  await runOn(site, 'tickets', 'blocks', 'add', 'Prices', '--text', 'See our list.', ...by)
  await runOn(site, 'tickets', 'blocks', 'remove', 'prices', '--yes', '--by', 'aino')
  await runOn(site, 'bookings', 'block', '2027-06-01', '2027-06-02', ...by)
  await runOn(site, 'bookings', 'unblock', '1', '--by', 'aino')
  await runOn(site, 'bookings', 'feed', '--renew', ...by)
  const list = join(site.dataDir, 'list.csv')
  writeFileSync(list, 'email\naino@example.com\n')
  await runOn(site, 'newsletter', 'import', list, '--consent-note', 'Fair 2026', ...by)
  await runOn(site, 'privacy', 'export', 'aino@example.com', '--by', 'aino')
  await runOn(site, 'privacy', 'erase', 'aino@example.com', ...by)
  await runOn(site, 'privacy', 'erase', 'aino@example.com', '--yes', ...by)

  // What was done without a database is told by the next process that opens one.
  {
    await using _ = await startSite({ sending: false, dataDir: site.dataDir })
  }
  const told = JSON.parse(await runOn(site, 'history', '--thing', 'site', '--json')) as {
    thingId: string
    actor: string
    act: string
    note: string | null
  }[]
  const acts = told.map(({ thingId, actor, act }) => `${actor}: ${thingId} ${act}`)
  expect(acts.toReversed()).toEqual([
    'mika: backups created',
    'mika: keys created',
    'mika: keys revoked',
    'mika: clock accepted',
    'mika: jobs run',
    'mika: text blocks added',
    'aino: text blocks removed',
    'mika: blocked dates added',
    'aino: blocked dates unblocked',
    'mika: staff calendar renewed',
    'mika: newsletter imported',
    'aino: privacy exported what we hold on a person',
    'mika: privacy erased a person',
    'aino: backups removed',
  ])
  // The history of an erasure doesn't keep whom it was about.
  expect(JSON.stringify(told)).not.toContain('aino@example.com')
  const own = await runOn(site, 'history', '--who', 'AINO', '--search', 'unblocked')
  expect(own.trimEnd().split('\n')).toHaveLength(2)
})
