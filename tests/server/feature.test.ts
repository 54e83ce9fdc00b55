import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { dist } from '#server/dist.ts'
import { collectContributions } from '#server/contributions/contributions.ts'
import type { PanelBlock } from '#server/contributions/panel-block.ts'
import { builtRenderer } from '#server/renderer.ts'
import { makeClient, signIn } from '../support/clients.ts'
import { caughtUp, settled } from '../support/enquiry.ts'
import { eventually } from '../support/eventually.ts'
import { runOn } from '../support/in-process-cli.ts'
import { mailFiles } from '../support/mail-files.ts'
import { startSite } from '../support/site.ts'
import { signIn as signInWith } from '../support/staff.ts'
import { withTyres } from '../support/tyres.ts'

const hour = 3_600_000

test('its lines stand in llms.txt, without those that cannot be read', async () => {
  await using it = await withTyres()
  const { text } = await it.site.get('/llms.txt')
  const { url } = it.site
  expect(text).toMatch(/## Tyres\n\n- \[Soft\]\(\S+\): for two laps\n\n?$/)
  expect(text).toContain(`(${url}/tyres/soft)`)
})

test('start and close are called with the server', async () => {
  const it = await withTyres()
  it.site.context.contributions().start()
  expect(it.tyres.asked).toEqual(['prepare', 'start'])
  await it[Symbol.asyncDispose]()
  // Twice, since a context that closes without a server releases, too.
  expect(it.tyres.asked).toEqual(['prepare', 'start', 'release', 'release', 'close'])
})

test('its job runs when it is due, and its mail goes out', async () => {
  await using it = await withTyres()
  const { site } = it
  await it.tyres.order('aino@example.com')
  expect(await runOn(site, 'jobs', 'list', '--limit', '100')).toMatch(
    /tyres\.deliver +aino@example\.com +waiting/,
  )
  site.clock.advance(hour)
  const sent = () => mailFiles(site.dataDir).filter(({ file }) => file.endsWith('tyresOrdered.eml'))
  await eventually(() => expect(sent()).toHaveLength(1))
  expect(sent()[0]).toMatchObject({
    subject: 'Your tyres',
    to: 'aino@example.com',
    text: expect.stringContaining('They are on their way'),
  })
  expect(site.logLines().join('')).toContain('tyres turned')
})

test('its page is found among the pages of the site', async () => {
  await using it = await withTyres()
  await eventually(async () => {
    const { json: reply } = await it.site.get('/api/search?q=tyre+wall')
    expect(reply).toMatchObject({ results: [{ kind: 'pages', path: '/tyres/wall' }] })
  })
})

test('its block stands in panels', async () => {
  await using it = await withTyres()
  const { code } = await makeClient(it.site)
  const cookie = await signIn(it.site, code)
  const { json: reply } = await it.site.get('/api/panel', { headers: { Cookie: cookie } })
  expect(reply).toMatchObject({
    panel: { blocks: [{ kind: 'tyres', paragraphs: ['Two sets for Nordic Rally Team'] }] },
  })
})

test('staff add a block of its kind by the command line, which knows nothing else of it', async () => {
  const ratios: PanelBlock = {
    kind: 'ratios',
    title: 'Gear ratios',
    by: 'staff',
    content: {
      schema: z.object({ text: z.string() }),
      options: ['text'],
      settle: ({ text }) => ({ text: String(text).toUpperCase() }),
      note: 'The gearbox has to be opened.',
    },
    load: ({ own }) => ({ view: 'text', paragraphs: [(own!.data as { text: string }).text] }),
  }
  const gearbox = { name: 'gearbox', panelBlocks: [ratios] }
  await using site = await startSite({ features: [() => gearbox] })
  const { code } = await makeClient(site)
  const add = (...words: string[]) =>
    runOn(site, 'panels', 'add', 'nordic-rally-team', 'ratios', ...words)
  expect(await add('--text', 'long')).toBe('Block 1: added\nThe gearbox has to be opened.\n')
  await expect(add('--link', '/news')).rejects.toThrow('--link doesn’t apply to ratios blocks.')
  const cookie = await signIn(site, code)
  const { json: reply } = await site.get('/api/panel', { headers: { Cookie: cookie } })
  expect(reply).toMatchObject({
    panel: { blocks: [{ kind: 'ratios', title: 'Gear ratios', paragraphs: ['LONG'] }] },
  })
})

test('its pages are in the sitemap and in the search, under a word of their own', async () => {
  await using it = await withTyres()
  const { url } = it.site
  const sitemap = (await it.site.get('/sitemap.xml')).text
  expect(sitemap).toContain(`<loc>${url}/tyres</loc>`)
  expect(sitemap).toContain(`<loc>${url}/tyres/soft</loc>`)
  const found = await eventually(async () => {
    const { json: reply } = await it.site.get('/api/search?q=hypersoft')
    expect(reply).toMatchObject({ total: 1 })
    return reply
  })
  expect(found).toMatchObject({
    kinds: [{ kind: 'tyres', label: 'Tyres', count: 1 }],
    results: [{ kind: 'tyres', label: 'Tyres', path: '/tyres' }],
  })
  expect((await it.site.get('/api/search?q=hypersoft&type=tyres')).json).toMatchObject({
    type: 'tyres',
    typeLabel: 'Tyres',
    results: [{ path: '/tyres' }],
  })
})

test('its personal data stands in the policy, and is found and kept by the command line', async () => {
  await using it = await withTyres()
  await it.tyres.order('aino@example.com')
  expect((await it.site.get('/api/privacy/retention')).json).toMatchObject({
    rows: expect.arrayContaining([
      { what: 'Tyres', data: 'Address', ground: 'Contract', kept: '30 days' },
      expect.objectContaining({
        what: 'Emails we send you',
        kept: 'As long as the message they are about; others for 90 days, newsletters for two years, mails about tyres for three winters',
      }),
    ]),
  })
  expect(await runOn(it.site, 'privacy', 'retention')).toMatch(/tyre orders +Tyres +30 days +job t/)
  const exported = JSON.parse(await runOn(it.site, 'privacy', 'export', 'aino@example.com'))
  expect(exported.places).toContainEqual({
    place: 'tyre orders',
    records: [{ email: 'aino@example.com', at: '2026-11-20T12:00:00.000Z' }],
    note: null,
  })
  const erased = await runOn(it.site, 'privacy', 'erase', 'aino@example.com', '--yes')
  expect(erased).toMatch(/tyre orders +0 +1\n/)
  expect(erased).toContain('\ntyre orders, 1 kept until 2030-01-01: The law of racing\n')
})

test('health, doctor and digest tell of it', async () => {
  await using it = await withTyres()
  const { site } = it
  expect((await site.get('/api/health')).json).toMatchObject({ status: 'ok', tyres: 'ok' })
  await it.tyres.order('aino@example.com')
  expect((await site.get('/api/health')).json).toMatchObject({ status: 'degraded', tyres: 'worn' })
  expect(await runOn(site, 'doctor')).toContain('ok   tyres: round')
  // From a Friday to the next day of work.
  site.clock.advance(72 * hour)
  await eventually(() => {
    const digest = mailFiles(site.dataDir).find(({ file }) => file.endsWith('staffDigest.eml'))
    expect(digest?.text).toMatch(/1 sets ordered +pitlane tyres list/)
  })
  await settled(site)
})

test('what waits of it is at the desk, for codes that open it', async () => {
  await using it = await withTyres()
  const { site } = it
  await it.tyres.order('aino@example.com')
  expect((await site.get('/api/desk/today')).status).toBe(401)
  const visitor = await signInWith(site, ['view', 'links', 'ops'])
  expect((await site.get('/api/desk/today', { headers: visitor.headers })).status).toBe(403)
  const staff = await signInWith(site, ['desk'], { name: 'Noora' })
  const { json } = await site.get('/api/desk/today', { headers: staff.headers })
  expect(json).toMatchObject({
    name: 'Noora',
    groups: expect.arrayContaining([
      {
        title: 'Tyres to fit',
        total: 1,
        lines: [expect.objectContaining({ title: 'A set for aino@example.com', urgent: true })],
        command: null,
      },
    ]),
  })
})

test('pages are made anew when a feature says that it has changed', async () => {
  await using it = await withTyres()
  const { siteVersion, commit } = it.site.context
  await caughtUp(it.site)
  const before = siteVersion.version()
  await commit((tx) => siteVersion.changed(tx))
  await eventually(() => expect(siteVersion.version()).toBe(before + 1))
  await expect(
    commit((tx) => {
      siteVersion.changed(tx)
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  expect(siteVersion.version()).toBe(before + 1)
})

test('another process sees the new version', async () => {
  await using it = await withTyres()
  await using other = await startSite({ dataDir: it.site.dataDir, sending: false })
  await caughtUp(it.site)
  const before = it.site.context.siteVersion.version()
  let told = 0
  it.site.context.siteVersion.onChange(() => (told += 1))
  await other.context.commit((tx) => other.context.siteVersion.changed(tx))
  await eventually(() => expect(it.site.context.siteVersion.version()).toBe(before + 1))
  expect(told).toBe(1)
})

test('its words are not given away as short links', async () => {
  await using it = await withTyres()
  const {
    commit,
    features: { links },
  } = it.site.context
  const create = (code: string) =>
    commit((tx) => links.create(tx, { target: 'https://example.com', code }, 'staff'))
  await expect(create('Tyres')).rejects.toMatchObject({
    errors: { code: 'This word is reserved. Choose another one.' },
  })
  await expect(create('wheels')).resolves.toMatchObject({ code: 'wheels' })
})

test('the pages of search and privacy show what it says', async () => {
  await using it = await withTyres({ renderer: await builtRenderer(dist) })
  const { site } = it
  await eventually(async () => {
    const { text } = await site.get('/search?q=hypersoft')
    expect([text.includes('type=tyres">Tyres'), text.includes('href="/tyres"')]).toEqual([
      true,
      true,
    ])
  })
  const { text } = await site.get('/privacy-policy')
  const cells = Array.from(text.matchAll(/<(t[hd])[^>]*>(.*?)<\/\1>/g), ([, , cell = '']) =>
    cell.replaceAll(/<[^>]+>/g, ''),
  )
  expect(cells).toEqual(expect.arrayContaining(['Tyres', 'Answering your message', '30 days']))
})

test('two features never share a name of anything', () => {
  const job = { kind: 'a.b', about: '', run() {} }
  expect(() => collectContributions([{ name: 'a' }, { name: 'a' }])).toThrow(
    'Two of the features are named a.',
  )
  expect(() =>
    collectContributions([
      { name: 'a', jobs: [job] },
      { name: 'b', jobs: [job] },
    ]),
  ).toThrow('Two of the jobs are named a.b.')
  expect(
    collectContributions([{ name: 'a', reservedPaths: ['x'] }, { name: 'b' }]).reservedPaths,
  ).toEqual(new Set(['x']))
})
