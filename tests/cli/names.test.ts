import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { book } from '../support/bookings.ts'
import { saveEnquiry } from '../support/enquiry.ts'
import { runCli } from '../support/run-cli.ts'
import { orderByInvoice } from '../support/shop.ts'
import { startSite, type Site } from '../support/site.ts'

const browser =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15'

const run = (site: Site, ...args: string[]) => runCli(args, site)

/** Clients of similar names. */
async function siteWithClients(): Promise<Site> {
  const site = await startSite()
  await run(site, 'clients', 'add', 'Nordic Rally Team', '--email', 'nora@example.com')
  await run(site, 'clients', 'add', 'Nordic Drift Club', '--email', 'dan@example.com')
  await run(site, 'clients', 'add', 'Nordic', '--panel', 'all-of-nordic')
  return site
}

test('a client is found by panel, number, name, address or words; several are listed', async () => {
  await using site = await siteWithClients()
  const panelOf = async (given: string) =>
    (JSON.parse((await run(site, 'clients', 'show', given, '--json')).out) as { panel: string })
      .panel
  expect(await panelOf('2')).toBe('nordic-drift-club')
  expect(await panelOf('NORA@example.com')).toBe('nordic-rally-team')
  expect(await panelOf('drift')).toBe('nordic-drift-club')
  // A whole name counts more than words of others.
  expect(await panelOf('nordic')).toBe('all-of-nordic')
  const several = await run(site, 'panels', 'show', 'team nordic club')
  expect(several).toMatchObject({ code: 1, err: 'Client not found: team nordic club.\n' })
  const two = await run(site, 'codes', 'create', 'example.com')
  expect(two).toMatchObject({ code: 2, out: '' })
  expect(two.err).toBe(
    'error: “example.com” could be one of 2:\n  nordic-drift-club  Nordic Drift Club  dan@example.com\n  nordic-rally-team  Nordic Rally Team  nora@example.com\n',
  )
})

test('a client is renamed, and removed with its codes once --yes is said', async () => {
  await using site = await siteWithClients()
  const renamed = await run(site, 'clients', 'rename', 'drift', 'Polar Drift', '--panel', 'polar')
  expect(renamed.out).toBe(
    `Nordic Drift Club → Polar Drift\nThe panel moved to ${site.url}/panel/polar\n`,
  )
  await run(site, 'codes', 'create', 'polar')
  const rehearsed = await run(site, 'clients', 'remove', 'polar')
  expect(rehearsed.out).toBe(
    'polar, Polar Drift: 1 code, 0 blocks, 0 files\n\nDry run: nothing changed. Add --yes to remove it.\n',
  )
  expect((await run(site, 'clients', 'show', 'polar')).code).toBe(0)
  expect((await run(site, 'clients', 'remove', 'polar', '--yes', '--by', 'Aino')).code).toBe(0)
  expect((await run(site, 'clients', 'show', 'polar')).code).toBe(1)
  expect(JSON.parse((await run(site, 'codes', 'list', '--json')).out)).toEqual([])
  expect(site.context.timeline.of('client', '2').at(-1)).toMatchObject({
    act: 'removed',
    actor: 'Aino',
  })
})

test('what removes things takes no words, so that the same command twice removes one thing', async () => {
  await using site = await siteWithClients()
  const remove = (noun: string, given: string) => run(site, noun, 'remove', given, '--yes')
  expect((await remove('clients', 'nordic')).code).toBe(0)
  await run(site, 'clients', 'remove', 'nordic-rally-team', '--yes')
  // Only one is left that the words fit.
  const again = await remove('clients', 'nordic')
  expect([again.code, again.out, again.err]).toEqual([
    2,
    '',
    'error: to remove something, give its exact name. “nordic” fits:\n  nordic-drift-club  Nordic Drift Club  dan@example.com\n',
  ])
  // An address is of whoever has it, and isn't the name of a client.
  expect((await remove('clients', 'dan@example.com')).code).toBe(2)
  expect((await run(site, 'clients', 'show', 'nordic-drift-club')).code).toBe(0)

  await run(site, 'links', 'create', 'https://example.com/poster', '--code', 'one')
  for (const given of ['poster', 'https://example.com/poster']) {
    expect((await remove('links', given)).code).toBe(2)
  }
  expect((await run(site, 'links', 'show', 'one')).code).toBe(0)
})

test('a link is renamed and removed; its old code opens nothing', async () => {
  await using site = await startSite()
  const opens = async (code: string) =>
    (await site.get(`/l/${code}`, { headers: { 'User-Agent': browser } })).headers.location
  await run(site, 'links', 'create', 'https://example.com/a', '--code', 'one')
  await run(site, 'links', 'create', 'https://example.com/b', '--code', 'two')
  expect(await opens('one')).toBe('https://example.com/a')
  expect(await run(site, 'links', 'rename', 'one', 'two')).toMatchObject({ code: 1 })
  expect(await run(site, 'links', 'rename', 'one', 'news')).toMatchObject({ code: 1 })
  expect((await run(site, 'links', 'rename', 'one', 'uno')).out).toBe(`one → ${site.url}/l/uno\n`)
  await eventually(async () => expect(await opens('one')).toBeUndefined())
  expect(await opens('uno')).toBe('https://example.com/a')
  expect((await run(site, 'links', 'remove', 'uno', 'two')).out).toMatch(
    /^uno: \d clicks?, https:\/\/example.com\/a\ntwo: 0 clicks, https:\/\/example.com\/b\n\nDry run: nothing changed. Add --yes to remove all 2.\n$/,
  )
  expect(await opens('uno')).toBe('https://example.com/a')
  expect((await run(site, 'links', 'remove', 'uno', '--yes')).out).toBe('uno: removed\n')
  await eventually(async () => expect(await opens('uno')).toBeUndefined())
  expect(await opens('two')).toBe('https://example.com/b')
})

test('a folder is found by its title, renamed, and taken off the site; its files stay', async () => {
  await using site = await startSite()
  const directory = join(site.dataDir, 'folders/ouninpohja')
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, 'notes.txt'), 'Stage 9')
  const shared = await run(site, 'folders', 'add', 'ouninpohja', '--title', 'Stage 9', '--json')
  const { folder } = JSON.parse(shared.out) as { folder: string }
  const path = `/api/folders/${folder}`
  expect((await run(site, 'folders', 'rename', 'stage', 'Ouninpohja, Sunday')).out).toBe(
    'Stage 9 → Ouninpohja, Sunday\n',
  )
  expect((await run(site, 'folders', 'show', 'sunday')).out).toContain('title: Ouninpohja, Sunday')
  expect((await run(site, 'folders', 'remove', 'ouninpohja, sunday')).out).toContain(
    'Dry run: nothing changed. Add --yes to remove it.',
  )
  expect((await site.get(path)).status).toBe(200)
  expect((await run(site, 'folders', 'remove', 'ouninpohja', '--yes')).code).toBe(0)
  expect((await site.get(path)).status).toBe(404)
  expect(existsSync(join(directory, 'notes.txt'))).toBe(true)
})

test('the last change of a ticket’s status is taken back, and nothing else is', async () => {
  await using site = await startSite()
  await saveEnquiry(site, { 'Ticket ID': 'abc123' })
  const tickets = (...args: string[]) => run(site, 'tickets', ...args)
  expect((await tickets('undo', 'abc123')).code).toBe(1)
  await tickets('set', 'abc123', 'spam')
  expect((await tickets('undo', 'abc123')).out).toBe('abc123: spam → new\n')
  expect(JSON.parse((await tickets('show', 'abc123', '--json')).out)).toMatchObject({
    status: 'new',
  })
  expect(await tickets('undo', 'abc123')).toMatchObject({
    code: 1,
    err: 'abc123: the last change was undone.\n',
  })
  await tickets('set', 'abc123', 'closed')
  await tickets('note', 'abc123', 'called')
  expect(await tickets('undo', 'abc123')).toMatchObject({
    code: 1,
    err: 'abc123: the last change wasn’t to its status.\n',
  })
})

test('orders, bookings, tickets and events are found by reference, name or address; part of a reference is none', async () => {
  await using site = await startSite({ sending: false })
  const postcards = ['paddock-postcards', 'box-of-twelve', 1] as const
  const { order } = await orderByInvoice(site, [postcards])
  const eero = { name: 'Eero Nieminen', email: 'eero@example.com' }
  const { order: second } = await orderByInvoice(site, [postcards], eero)
  const { json } = await book(site)
  const reference = (json as { reference: string }).reference
  await saveEnquiry(site)

  const shown = async (noun: string, given: string) => {
    const { code, out, err } = await run(site, noun, 'show', given)
    return { code, said: out + err }
  }
  expect((await shown('orders', 'eero@example.com')).said).toContain(second)
  expect((await shown('orders', 'nieminen eero')).said).toContain(second)
  expect((await shown('bookings', 'AINO@example.com')).said).toContain(reference)
  expect((await shown('bookings', 'virtanen')).said).toContain(reference)
  expect((await shown('tickets', 'aino virtanen')).said).toContain('abc123')
  expect((await shown('events', 'savonlinna summer')).said).toContain('savonlinna-rally-2027')
  // The series and the organiser of many events are the name of none.
  expect((await shown('events', 'seven lakes')).said).toContain('Event not found: seven lakes.')
  const both = await shown('orders', 'example.com')
  expect(both.code).toBe(2)
  for (const each of [order, second]) expect(both.said).toContain(`  ${each}  open  `)
  // A slip in a number never means another order.
  expect(await shown('orders', second.slice(0, -1))).toMatchObject({ code: 1 })
  expect(await shown('bookings', reference.slice(0, -1))).toMatchObject({ code: 1 })

  await run(site, 'bookings', 'confirm', 'virtanen', '--by', 'mika')
  const { actions } = site.context.features.bookings
  expect(actions.find(reference).state).toBe('confirmed')
})

test('an edit that says nothing is wrong use, whatever the noun, and isn’t recorded', async () => {
  await using site = await startSite({ sending: false })
  await run(site, 'clients', 'add', 'Nordic Rally Team')
  await run(site, 'panels', 'add', 'nordic', 'notes', '--text', 'Hello')
  await run(site, 'links', 'create', 'https://example.com', '--code', 'rally')
  await run(site, 'tickets', 'blocks', 'add', 'Prices', '--text', 'Dear {name}')
  mkdirSync(join(site.dataDir, 'folders', 'imatra'), { recursive: true })
  writeFileSync(join(site.dataDir, 'folders', 'imatra', 'a.txt'), 'a')
  await run(site, 'folders', 'add', 'imatra', '--title', 'Imatra')
  const { json } = await book(site)
  const { reference } = json as { reference: string }
  const acts = async () => JSON.parse((await run(site, 'history', '--json')).out).length as number
  const before = await acts()
  for (const [verb, ...args] of [
    ['clients edit', 'nordic'],
    ['panels edit', '1', '--by', 'aino'],
    ['links edit', 'rally'],
    ['tickets blocks edit', 'prices'],
    ['folders set', 'imatra', '--json'],
    ['bookings edit', reference, '--no-mail'],
    ['products edit', 'paddock-postcards', '--variant', 'box-of-twelve'],
  ] as const) {
    const { code, out, err } = await run(site, ...verb.split(' '), ...args)
    expect([verb, code, out]).toEqual([verb, 2, ''])
    expect(err).toContain('error: Nothing to change: say what.\n\nUsage: pitlane ')
  }
  expect(await acts()).toBe(before)
})

test('links, products and gift cards are found by words, too, and several are listed', async () => {
  await using site = await startSite({ sending: false })
  const shown = await run(site, 'products', 'show', 'blue hour', '--json')
  expect(JSON.parse(shown.out)).toMatchObject({ handle: 'blue-hour-fine-art-print' })
  const several = await run(site, 'products', 'publish', 'fine art print')
  expect(several.code).toBe(2)
  expect(several.err).toContain('blue-hour-fine-art-print  Blue Hour, fine art print\n')
  expect(await run(site, 'products', 'stock', 'blue hour', '30x40-matte', '7')).toMatchObject({
    out: 'blue-hour-fine-art-print 30x40-matte: 7\n',
  })
  expect((await run(site, 'products', 'show', 'nosuch')).err).toBe('Product not found: nosuch.\n')
  const links = (...args: string[]) => run(site, 'links', ...args)
  await links('create', 'https://example.com/imatra', '--code', 'aa', '--note', 'Rally poster')
  await links('create', 'https://example.com/kymi', '--code', 'bb')
  expect(JSON.parse((await links('show', 'rally', '--json')).out)).toMatchObject({ code: 'aa' })
  expect((await links('edit', 'kymi', '--note', 'x')).out).toBe('bb: changed\n')
  expect((await links('disable', 'imatra', 'bb')).out).toBe('aa: disabled\nbb: disabled\n')
  expect(await links('remove', 'example', '--yes')).toMatchObject({ code: 2, out: '' })
  expect((await links('stats', 'nosuch')).err).toBe('Link not found: nosuch.\n')
  const card = (...args: string[]) => run(site, 'gift-cards', ...args)
  await card('add', '50', '--name', 'Aino Virtanen', '--note', 'transfer of 3 May')
  await card('add', '20', '--name', 'Eero Virtanen')
  expect(JSON.parse((await card('show', 'aino', '--json')).out)).toMatchObject({ value: 5000 })
  expect((await card('end', 'virtanen')).code).toBe(2)
  expect((await card('show', 'nosuch')).err).toBe('Gift card not found.\n')
})

test('an order is found by its invoice, and by its payment reference however that is printed', async () => {
  await using site = await startSite({ sending: false })
  const { order } = await orderByInvoice(site, [['paddock-postcards', 'box-of-twelve', 1]])
  await orderByInvoice(site, [['paddock-postcards', 'box-of-twelve', 2]])
  // Their invoices are 1001 and 1002.
  for (const given of ['1001', '10016', '1 0016', '0010016', 'RF08 1001 6']) {
    const { out, err } = await run(site, 'orders', 'show', given, '--json')
    expect(err).toBe('')
    expect(JSON.parse(out)).toMatchObject({ order })
  }
  for (const given of ['100', '0016', 'RF09 1001 6']) {
    expect(await run(site, 'orders', 'show', given)).toMatchObject({ code: 1 })
  }
  // A choice of document or format that would be for nothing is said.
  for (const choice of [
    ['--format', 'ubl'],
    ['--number', '1001'],
  ]) {
    expect(await run(site, 'orders', 'documents', order, ...choice)).toMatchObject({
      code: 2,
      err: expect.stringContaining('--number and --format are for a file: say which, by --out.'),
    })
  }
  const listed = await run(site, 'orders', 'list', '--search', '10016', '--json')
  expect(JSON.parse(listed.out)).toMatchObject([{ order, invoice: '1001' }])
})
