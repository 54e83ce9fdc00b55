import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { makeClient, signIn } from '../../support/clients.ts'
import { mailCalls, enquiry, saveEnquiry, settled } from '../../support/enquiry.ts'
import { eventually } from '../../support/eventually.ts'
import { newCard, shownCard } from '../../support/gift-cards.ts'
import { mailFiles } from '../../support/mail-files.ts'
import { filesWith } from '../../support/raw-state.ts'
import { runCli } from '../../support/run-cli.ts'
import { cookiesOf, idsOf, postForm, share } from '../../support/shared-folder.ts'
import { startSite, type Site } from '../../support/site.ts'

const day = 86_400_000
const aino = 'aino@example.com'

type Place = { place: string; records: unknown[] }

/** A site that knows Aino in every way: ticket, lost call, newsletter, panel, notes; and someone else. */
async function withAino(): Promise<Site> {
  const site = await startSite()
  await saveEnquiry(site, { Email: 'Aino@Example.com', Message: 'Aino wants pictures' })
  await saveEnquiry(site, {
    'Ticket ID': 'other1',
    Name: 'Mika Mäkinen',
    Email: 'mika@example.com',
    Message: 'From Mika',
  })
  const lost = enquiry({ 'Ticket ID': 'lost00' })
  await site.post('/api/send-email', mailCalls(lost).notice)
  const { commit, timeline, features } = site.context
  const { subscribers } = features.newsletter
  await features.contact.actions.note('abc123', 'called, wants mail to AINO@example.com', 'mika')
  await commit((tx) => {
    subscribers.import(tx, { email: aino, name: 'Aino', status: 'subscribed' }, 'on paper')
    timeline.record(tx, {
      thing: 'booking',
      thingId: 'B-1',
      actor: 'mika',
      act: 'note',
      note: `ask ${aino} too`,
    })
  })
  await makeClient(site, { emails: [aino, 'boss@example.com'], label: 'for Aino@example.com' })
  const poster = { code: 'poster', target: 'https://example.com/', note: `${aino} asked for it` }
  await runCli(
    ['links', 'create', poster.target, '--code', poster.code, '--note', poster.note],
    site,
  )
  await settled(site)
  return site
}

const exported = async (site: Site, email = aino) => {
  const { code, out, err } = await runCli(['privacy', 'export', email], site)
  expect([code, err]).toEqual([0, ''])
  const { places } = JSON.parse(out) as { places: Place[] }
  return Object.fromEntries(places.map(({ place, records }) => [place, records]))
}

test('an export has everything that is known of an address, and nothing of others', async () => {
  await using site = await withAino()
  const places = await exported(site)
  expect(places.tickets).toMatchObject([
    { ticketId: 'abc123', message: 'Aino wants pictures', changes: [{ author: 'mika' }] },
  ])
  expect(places['mail calls']).toMatchObject([{ kind: 'notice', outcome: 'waiting' }])
  expect(places.mails).toMatchObject([{ kind: 'confirmation', status: 'sent' }])
  expect(places.newsletter).toMatchObject([
    { email: aino, status: 'subscribed', history: [{ kind: 'imported', note: 'on paper' }] },
  ])
  expect(places.clients).toMatchObject([
    { client: 'Nordic Rally Team', emails: [aino] },
    { code: 1, label: 'for Aino@example.com' },
  ])
  expect(places['short links']).toEqual([
    { code: 'poster', note: `${aino} asked for it`, target: 'https://example.com/' },
  ])
  expect(places.timeline).toHaveLength(2)
  expect(JSON.stringify(places)).not.toMatch(/mika@example|From Mika|boss@example/)
})

test('an export goes into a file for its owner alone, which no line of npm gets into', async () => {
  await using site = await withAino()
  const file = join(site.dataDir, 'aino.json')
  const { code, out } = await runCli(['privacy', 'export', aino, '--out', file], site)
  expect([code, out]).toEqual([0, ''])
  const { email, places } = JSON.parse(readFileSync(file, 'utf8')) as {
    email: string
    places: Place[]
  }
  expect([email, statSync(file).mode & 0o777]).toEqual([aino, 0o600])
  expect(places.map(({ place }) => place)).toContain('tickets')
  const nowhere = join(site.dataDir, 'nowhere', 'aino.json')
  expect((await runCli(['privacy', 'export', aino, '--out', nowhere], site)).code).toBe(1)
})

test("erasing is a dry run first, then erases that person's data alone", async () => {
  await using site = await withAino()
  const before = mailFiles(site.dataDir).length
  const asked = await runCli(['privacy', 'erase', aino], site)
  expect(asked.out).toMatch(/tickets +1/)
  expect(asked.out).toContain('Dry run: nothing changed. Add --yes to erase.')
  expect((await exported(site)).tickets).toHaveLength(1)
  expect(mailFiles(site.dataDir)).toHaveLength(before)

  const done = await runCli(['privacy', 'erase', aino, '--yes'], site)
  expect([done.code, done.err]).toEqual([0, ''])
  expect(done.out).toContain('No backup in ')
  for (const [place, records] of Object.entries(await exported(site))) {
    expect([place, records]).toEqual([place, []])
  }
  const left = mailFiles(site.dataDir)
  expect(left.map(({ file }) => file.split('-').slice(-2).join('-'))).toEqual([
    'other1-confirmation.eml',
    'other1-notice.eml',
  ])
  expect(left.map(({ raw }) => raw).join('')).not.toMatch(/aino/i)
  expect((await exported(site, 'mika@example.com')).tickets).toHaveLength(1)
  const { clients, links } = site.context.features
  expect(clients.list()).toMatchObject([{ emails: ['boss@example.com'] }])
  expect(clients.codes.list(1)).toMatchObject([{ label: '[erased]' }])
  expect(links.find('poster')).toMatchObject({ note: '[erased] asked for it' })
  expect(site.context.timeline.of('booking', 'B-1')).toMatchObject([{ note: 'ask [erased] too' }])
})

test('who has a part of an address is someone else', async () => {
  await using site = await withAino()
  const { actions } = site.context.features.contact
  await actions.note(
    'other1',
    'Knows aino@example.com.au, maino@example.com; “no@example.com”.',
    'mika',
  )
  expect((await exported(site, 'no@example.com')).timeline).toHaveLength(1)
  const ino = await exported(site, 'ino@example.com')
  for (const [place, records] of Object.entries(ino)) expect([place, records]).toEqual([place, []])
  const untouched = await runCli(['privacy', 'erase', 'ino@example.com', '--yes'], site)
  expect(untouched.out).toContain('Nothing held on ino@example.com.')
  await runCli(['privacy', 'erase', 'no@example.com', '--yes'], site)
  await runCli(['privacy', 'erase', aino, '--yes'], site)
  expect(site.context.timeline.of('ticket', 'other1').at(-1)).toMatchObject({
    note: 'Knows aino@example.com.au, maino@example.com; “[erased]”.',
  })
})

test('an address is found however it is typed, and its other spellings are named', async () => {
  await using site = await startSite()
  const { commit, features } = site.context
  const subscribe = (email: string) =>
    commit((tx) =>
      features.newsletter.subscribers.import(
        tx,
        { email, name: '', status: 'subscribed' },
        'paper',
      ),
    )
  await subscribe('äino@bücher.example')
  await subscribe('aino@bücher.example')
  await saveEnquiry(site, { 'Ticket ID': 'tagged', Email: 'Aino+press@xn--bcher-kva.example' })
  // Copied from a page, with a mark that nobody sees, and its letters taken apart.
  const places = await exported(site, ' A\u0308INO@BU\u0308CHER\u00ad.EXAMPLE')
  expect(places.newsletter).toMatchObject([{ email: 'äino@bücher.example' }])

  const asked = await runCli(['privacy', 'export', 'aino@bücher.example'], site)
  expect(asked.err).toBe(
    'Also on file, probably the same mailbox: Aino+press@xn--bcher-kva.example. It isn’t included: once the person confirms, run this for it, too.\n',
  )
  const erased = await runCli(['privacy', 'erase', 'aino@bücher.example', '--yes', '--json'], site)
  expect([erased.err, JSON.parse(erased.out)]).toMatchObject([
    '',
    { otherSpellings: ['Aino+press@xn--bcher-kva.example'] },
  ])
  expect((await exported(site, 'aino+press@xn--bcher-kva.example')).tickets).toHaveLength(1)
})

test('a domain of letters is one with its punycode, whichever of them was asked for or kept', async () => {
  await using site = await startSite()
  const { commit, features } = site.context
  const { subscribers } = features.newsletter
  const [letters, wire] = ['aino@jyväskylä.fi', 'aino@xn--jyvskyl-7wae.fi']
  const earlier = { email: letters, name: 'Aino', status: 'unsubscribed' } as const
  const subscribe = (email: string) =>
    site.post('/subscription/form', new URLSearchParams({ email, l: 'newsletter' }).toString(), {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'X-CSRF-TOKEN': '' },
    })
  // As it was kept before, with its letters: who left stays the same subscriber.
  await commit((tx) => subscribers.import(tx, earlier, 'paper'))
  await subscribe('Aino@JYVÄSKYLÄ.fi')
  expect(subscribers.find(wire)).toBeNull()
  await subscribe('mika@JYVÄSKYLÄ.fi')
  expect(subscribers.find('mika@xn--jyvskyl-7wae.fi')).not.toBeNull()
  await saveEnquiry(site, { Email: letters, Message: 'Aino wants pictures' })
  await features.contact.actions.note('abc123', `${letters}, that is ${wire}`, 'mika')
  await settled(site)
  for (const spelling of [letters, wire]) {
    const places = await exported(site, spelling)
    expect(places.newsletter).toMatchObject([{ email: letters }])
    expect(places.tickets).toMatchObject([{ ticketId: 'abc123' }])
    expect(places.timeline).toHaveLength(1)
    const lines = features.desk.person(spelling).map(({ label }) => label)
    expect(lines).toEqual(expect.arrayContaining(['Ticket', 'Newsletter']))
  }
  const { out, err } = await runCli(['privacy', 'erase', letters, '--yes'], site)
  expect([out.includes('newsletter'), err]).toEqual([true, ''])
  for (const spelling of [letters, wire]) {
    for (const [place, records] of Object.entries(await exported(site, spelling))) {
      expect([place, records]).toEqual([place, []])
    }
  }
})

test('what was written of a person in passing is exported and erased', async () => {
  await using site = await startSite()
  const { features, mails } = site.context
  // The label of a code is repeated with each sign-in.
  const { code } = await makeClient(site, { label: `for ${aino}` })
  await signIn(site, code)
  await features.orders.actions.accounts.allow('Aino@example.com', 'Virtanen Oy', 'mika')
  const card = await newCard(site, '50', '--note', `paid by ${aino}`)
  const { actions } = features.bookings
  const days = { from: '2027-01-04', to: '2027-01-05' } as const
  await actions.block({ ...days, service: null, reason: `kept for ${aino}`, author: 'mika' })
  const client = features.clients.list()[0]!
  const text = `Send proofs to\n${aino}`
  const { blocks } = features.clients
  await blocks.add(client, 'notes', { title: `For ${aino}`, text }, 'mika')
  await blocks.add(
    client,
    'links',
    { links: [{ title: 'Upload', url: 'https://example.com/' }] },
    'mika',
  )
  const folder = await share(site, 'rally', { 'PIT_1.jpg': 'the jump' })
  const picks = `/s/${folder.key}/picks`
  const heart = await postForm(site, picks, { heart: String(idsOf(site, folder)['PIT_1.jpg']) })
  const note = `Please send them to\n${aino}`
  await postForm(site, picks, { submit: '1', name: 'Aino', note }, { Cookie: cookiesOf(heart) })
  await settled(site)

  const places = await exported(site)
  expect(places.clients).toMatchObject([
    { detail: `Signed in with “for ${aino}”` },
    { code: 1 },
    { kind: 'notes', title: `For ${aino}`, data: { text } },
  ])
  expect(places.bookings).toEqual([{ blocked: { ...days, reason: `kept for ${aino}` } }])
  expect(places.timeline).toMatchObject([{ thing: 'credit-account', note: 'Virtanen Oy' }])
  expect(places['gift cards']).toEqual([{ card: card.card, note: `paid by ${aino}` }])
  expect(places['folder favourites']).toMatchObject([{ note }])

  await runCli(['privacy', 'erase', aino, '--yes'], site)
  for (const [place, records] of Object.entries(await exported(site))) {
    expect([place, records]).toEqual([place, []])
  }
  expect(site.context.timeline.of('credit-account', aino)).toEqual([])
  expect(mails.list().filter(({ kind }) => kind === 'folderFavourites')).toEqual([])
  expect(filesWith(join(site.dataDir, 'mail'), aino)).toEqual([])
  expect(await shownCard(site, card.card)).toMatchObject({ note: 'paid by [erased]' })
  expect(actions.blocks()).toMatchObject([{ reason: 'kept for [erased]' }])
  expect(features.clients.panels.list(client.id)).toMatchObject([
    { title: 'For [erased]', data: { text: 'Send proofs to\n[erased]' } },
    { data: { links: [{ title: 'Upload' }] } },
  ])
})

test('an address in the URL of a link stays until staff change it, and the erasure says where', async () => {
  await using site = await startSite()
  await makeClient(site, {})
  const { clients } = site.context.features
  const client = clients.list()[0]!
  const links = [
    { title: 'Upload', url: `https://example.com/to?mail=Aino%40example.com` },
    { title: 'Map', url: 'https://example.com/map' },
  ]
  const block = await clients.blocks.add(client, 'links', { links }, 'mika')
  const target = `https://example.com/?for=${aino}`
  await runCli(['links', 'create', target, '--code', 'forms', '--note', `for ${aino}`], site)

  const places = await exported(site)
  expect(places.clients).toMatchObject([{ kind: 'links', data: { links } }])
  expect(places['short links']).toEqual([{ code: 'forms', note: `for ${aino}`, target }])

  const { out } = await runCli(['privacy', 'erase', aino, '--yes'], site)
  expect(out).toContain(
    `clients, 1 kept: The address is part of a link’s URL, which would lead nowhere without it. Replace or remove the link with pitlane panels edit or remove: block ${block.id} of ${client.panel}.`,
  )
  expect(out).toContain(
    'short links, 1 kept: The address is part of the target, which would lead nowhere without it. Change it with pitlane links edit --target, or remove the link: forms.',
  )
  expect(await exported(site)).toMatchObject({ 'short links': [{ note: 'for [erased]', target }] })

  await clients.blocks.edit(block, { links: links.slice(1) }, 'mika')
  await runCli(['links', 'edit', 'forms', '--target', 'https://example.com/'], site)
  const again = await runCli(['privacy', 'erase', aino, '--yes'], site)
  expect(again.out).toContain(`Nothing held on ${aino}.`)
})

test('an address in the name of a panel’s file, and in what a link adds to its target, is found and erased', async () => {
  await using site = await startSite()
  await makeClient(site, {})
  const { clients, links } = site.context.features
  const [other, named] = ['maino@example.com.pdf', `Proofs ${aino}.pdf`]
  const paths = [other, named].map((name) => join(site.dataDir, name))
  for (const path of paths) writeFileSync(path, 'x')
  const files = paths.flatMap((path) => ['--file', path])
  const { panel } = clients.list()[0]!
  const added = await runCli(['panels', 'add', panel, 'files', ...files], site)
  expect([added.code, added.err]).toEqual([0, ''])
  const target = 'https://example.com/'
  const utm = ['--utm-content', 'for Aino%40example.com', '--utm-source', 'email']
  const made = await runCli(['links', 'create', target, '--code', 'hers', ...utm], site)
  expect([made.code, made.err]).toEqual([0, ''])

  const places = await exported(site)
  expect(places.clients).toMatchObject([{ panel, file: named }])
  expect(places['short links']).toMatchObject([{ code: 'hers', utm: { source: 'email' } }])
  await runCli(['privacy', 'erase', aino, '--yes'], site)
  for (const [place, records] of Object.entries(await exported(site))) {
    expect([place, records]).toEqual([place, []])
  }
  const [block] = clients.panels.list(clients.list()[0]!.id)
  const names = clients.panels.files(block!.id).map(({ name }) => name)
  expect(names.toSorted()).toEqual(['Proofs [erased].pdf', other])
  expect(links.find('hers')?.utm).toEqual({ content: 'for [erased]', source: 'email' })
})

test('the address where staff get their notices keeps them, and the erasure says so', async () => {
  await using site = await startSite({ env: { STAFF_EMAIL: 'Staff <staff@example.com>' } })
  await saveEnquiry(site)
  await settled(site)
  const notices = () => site.context.mails.list().filter(({ toStaff }) => toStaff)
  expect(notices()).toMatchObject([{ recipient: 'staff@example.com' }])
  const { out } = await runCli(['privacy', 'erase', 'staff@example.com', '--yes'], site)
  expect(out).toContain('mails, 1 kept: Staff get their notices at this address.')
  expect(notices()).toHaveLength(1)
  // About its sender it goes as ever.
  await runCli(['privacy', 'erase', enquiry().Email, '--yes'], site)
  expect(notices()).toEqual([])
})

test('a word that is no address is refused, since it would be found everywhere', async () => {
  await using site = await withAino()
  for (const word of ['a', '@', 'example.com', 'a b@example.com']) {
    const { code, err } = await runCli(['privacy', 'erase', word, '--yes'], site)
    expect([code, err]).toEqual([1, `${word} is not an email address.\n`])
  }
  expect((await exported(site)).tickets).toHaveLength(1)
})

/** What the command line says is kept. */
async function listedRetention(site: Site) {
  const { out } = await runCli(['privacy', 'retention', '--json'], site)
  return JSON.parse(out) as Record<'place' | 'what' | 'data' | 'kept' | 'forgottenBy', string>[]
}

test('the policy, the command line and the jobs say the same about retention', async () => {
  await using site = await withAino()
  const { rows } = (await site.get('/api/privacy/retention')).json as {
    rows: { what: string; kept: string }[]
  }
  const listed = await listedRetention(site)
  expect(listed.map(({ what, kept }) => ({ what, kept }))).toEqual(
    rows.map(({ what, kept }) => ({ what, kept })),
  )
  const kinds = new Set(site.context.jobs.list().map(({ kind }) => kind))
  for (const { forgottenBy } of listed) {
    const [, job] = /^job (.*)$/.exec(forgottenBy) ?? []
    if (job) expect(kinds).toContain(job)
  }
  for (const what of ['Answering your message', 'Newsletter', 'Client zone', 'Backups']) {
    expect(rows.map((row) => row.what)).toContain(what)
  }
})

test('the policy names who else gets data, and what comes from elsewhere', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  const { text } = await site.get('/privacy-policy')
  const words = text.replaceAll('&#x27;', '’').replaceAll(/\s+/g, ' ')
  for (const named of [
    'carrier',
    'our bank',
    'bookkeeper',
    'collection agency',
    'Stripe',
    'VIES',
  ]) {
    expect([named, words.includes(named)]).toEqual([named, true])
  }
  expect(words).not.toContain('All data about you comes from you')
  // Each column that tells a network or a check is named where the policy lists what is kept.
  const rows = await listedRetention(site)
  const dataOf = (what: string) => rows.find((row) => row.what === what)!.data
  for (const what of ['Orders and invoices', 'Booking']) expect(dataOf(what)).toContain('VIES')
  for (const what of ['Orders and invoices', 'A message that didn’t reach us whole']) {
    expect(dataOf(what)).toContain('keyed hash of your network')
  }
})

test('each period of retention names a job of its own feature', async () => {
  await using site = await startSite()
  for (const { name, jobs = [], personalData = [] } of site.context.contributions().features) {
    const kinds = jobs.map(({ kind }) => kind)
    for (const { forgottenBy } of personalData) {
      if ('job' in forgottenBy)
        expect([name, kinds]).toEqual([name, expect.arrayContaining([forgottenBy.job])])
    }
  }
  const rows = await listedRetention(site)
  const forgets = (words: string) =>
    rows.filter(({ data }) => data.includes(words)).map(({ forgottenBy }) => forgottenBy)
  expect(forgets('daily keyed hash')).toEqual(['job folders.forget'])
  expect(forgets('referring sites')).toEqual(['job links.forget'])
})

test('invoices are said to be kept where they are', async () => {
  await using site = await startSite()
  const rows = await listedRetention(site)
  expect(rows.filter(({ what }) => /invoice|bookkeeping/i.test(what))).toMatchObject([
    { place: 'orders', forgottenBy: 'job orders.forget' },
  ])
})

test('sent mails are forgotten with their files when their time is over', async () => {
  await using site = await startSite()
  await site.post('/api/send-email', mailCalls().notice)
  site.clock.advance(11 * 60_000)
  await eventually(() => expect(mailFiles(site.dataDir)).toHaveLength(1))
  await settled(site)
  const [file] = readdirSync(join(site.dataDir, 'mail'))
  const path = join(site.dataDir, 'mail', file!)
  utimesSync(path, new Date(0), new Date(0))
  const foreign = join(site.dataDir, 'mail', 'from-somebody-else.eml')
  writeFileSync(foreign, '')
  utimesSync(foreign, new Date(0), new Date(0))
  site.clock.advance(89 * day)
  await site.context.jobs.runDue()
  expect(existsSync(path)).toBe(true)
  site.clock.advance(2 * day)
  await site.context.jobs.runDue()
  expect(site.context.mails.list()).toEqual([])
  expect(existsSync(path)).toBe(false)
  expect(existsSync(foreign)).toBe(true)
})

test('backups are removed after 90 days', async () => {
  await using site = await startSite({ sending: false })
  const directory = join(site.dataDir, 'backups')
  mkdirSync(directory, { recursive: true })
  for (const [name, days] of [
    ['old.sqlite', 91],
    ['new.sqlite', 89],
    ['notes.txt', 400],
  ] as const) {
    const madeAt = new Date(site.clock() - days * day)
    writeFileSync(join(directory, name), '')
    utimesSync(join(directory, name), madeAt, madeAt)
  }
  await site.context.jobs.runDue()
  expect(readdirSync(directory).toSorted()).toEqual(['new.sqlite', 'notes.txt'])
})
