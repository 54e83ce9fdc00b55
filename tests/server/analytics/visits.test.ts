import { expect, test } from 'vitest'
import type { SiteStatistics } from '#shared/analytics/statistics.ts'
import { runCli } from '../../support/run-cli.ts'
import { startSite, type Site } from '../../support/site.ts'
import { signIn } from '../../support/staff.ts'

const person = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/142.0.0.0 Safari/537.36' }

const post = (site: Site, body: object, from?: string) =>
  site.post('/api/collect', body, { headers: person, ...(from && { from }) })

const visit = (site: Site, source: object = {}, event = 'view') =>
  post(site, {
    page: 'home',
    event,
    visit: { referrer: '', landing: 'home', ...source },
  })

const all = { from: '', to: '9999' }

const visitRows = ({ context }: Site) =>
  context.features.analytics.visits
    .list(all)
    .map(({ dimension, name, medium, campaign, event, count }) =>
      [dimension, name, medium, campaign, event, count].filter((part) => part !== '').join(' '),
    )

const readRows = ({ context }: Site) =>
  context.features.analytics.reads
    .list(all)
    .map(({ kind, slug, count }) => `${kind} ${slug} ${count}`)

/** The slug of a published thing, from the address of what the search finds. */
async function published(site: Site, kind: string): Promise<string> {
  const source = site.context.features[kind as 'news'].search!.at(0)!
  const [first] = await source.read()
  return first!.path.split('/').at(-1)!
}

test('articles, services, projects and products that are published are counted by name', async () => {
  await using site = await startSite({ sending: false })
  const read = async (page: string, item: string, event = 'view') =>
    expect((await post(site, { page, event, item })).status).toBe(202)
  const article = await published(site, 'news')
  const service = await published(site, 'services')
  const project = await published(site, 'portfolio')
  const product = await published(site, 'shop')
  await read('article', article)
  await read('article', article)
  await read('services', service)
  await read('portfolio', project)
  await read('shop', product)
  // What isn't published, what is of another kind, and what is done beside a view.
  await read('article', 'a-story-of-tomorrow')
  await read('article', service)
  await read('home', article)
  await read('article', article, 'newsletter_subscribed')
  expect(readRows(site).toSorted()).toEqual(
    [
      `article ${article} 2`,
      `service ${service} 1`,
      `case ${project} 1`,
      `product ${product} 1`,
    ].toSorted(),
  )
})

test('an article is counted from its publication on', async () => {
  await using site = await startSite({ sending: false })
  const slug = await published(site, 'news')
  await post(site, { page: 'article', event: 'view', item: 'unknown' })
  expect(readRows(site)).toEqual([])
  await post(site, { page: 'article', event: 'view', item: slug })
  expect(readRows(site)).toEqual([`article ${slug} 1`])
})

test('a visit and what it ended in are counted by host, campaign and first page', async () => {
  await using site = await startSite({ sending: false })
  const source = {
    referrer: 'www.Instagram.com',
    source: 'Instagram',
    medium: 'social',
    campaign: 'Rally 2027',
    landing: 'article',
  }
  await visit(site, source)
  await visit(site, source, 'contact_sent')
  await visit(site, {}, 'view')
  await visit(site, {}, 'order_placed')
  await visit(site, {}, 'search')
  await post(site, { page: 'booking', event: 'booking_requested' })
  // A view within a visit begins none.
  await post(site, { page: 'news', event: 'view' })
  expect(visitRows(site)).toEqual([
    'campaign instagram social rally-2027 enquiry 1',
    'campaign instagram social rally-2027 visit 1',
    'landing article enquiry 1',
    'landing article visit 1',
    'landing home order 1',
    'landing home visit 1',
    'referrer order 1',
    'referrer visit 1',
    'referrer instagram.com enquiry 1',
    'referrer instagram.com visit 1',
    'referrer unknown booking 1',
  ])
})

test.each([
  ['192.168.1.20', 'other'],
  ['[2001:db8::1]', 'other'],
  ['ainos-laptop', 'other'],
  ['printer.office.local', 'other'],
  ['intra.team.internal', 'other'],
  ['evil.example/path?q=1', 'other'],
  ['a..example', 'other'],
  ['News.Example.', 'news.example'],
])('a referrer %s counts as %s', async (referrer, name) => {
  await using site = await startSite({ sending: false })
  await visit(site, { referrer })
  expect(visitRows(site)).toEqual(['landing home visit 1', `referrer ${name} visit 1`])
})

test.each([
  ['aino@example.com', 'other'],
  ['+358401234567', 'other'],
  ['9f8a7b6c5d4e3f2a', 'other'],
  ['1b4e28ba-2fa1-11d2-883f-0016d3cca427', 'other'],
  ['<script>', 'other'],
  ['Kevät 2027', 'kevät-2027'],
  ['rally2027final', 'rally2027final'],
  ['20270601', '20270601'],
])('a campaign %s counts as %s', async (campaign, name) => {
  await using site = await startSite({ sending: false })
  await visit(site, { campaign })
  const { campaign: counted, medium } = site.context.features.analytics.visits
    .list(all)
    .find(({ dimension }) => dimension === 'campaign')!
  expect([counted, medium]).toEqual([name, ''])
})

test('robots are not counted by source, and a wrong source is refused', async () => {
  await using site = await startSite({ sending: false })
  const body = { page: 'home', event: 'view', visit: { referrer: 'a.example', landing: 'home' } }
  const robot = { 'User-Agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' }
  expect((await site.post('/api/collect', body, { headers: robot })).status).toBe(202)
  for (const wrong of [
    { referrer: 'x'.repeat(101), landing: 'home' },
    { referrer: 'a.example', landing: '/panel/secret' },
    { referrer: ['a.example'], landing: 'home' },
    { referrer: 'a.example', landing: 'home', campaign: 'x'.repeat(41) },
  ]) {
    expect((await post(site, { ...body, visit: wrong })).status).toBe(400)
  }
  expect((await post(site, { page: 'article', event: 'view', item: 'x'.repeat(201) })).status).toBe(
    400,
  )
  expect(visitRows(site)).toEqual([])
})

test('sources are forgotten after two years, and what was read after five', async () => {
  await using site = await startSite({ sending: false })
  await visit(site, { referrer: 'a.example' })
  await post(site, { page: 'article', event: 'view', item: await published(site, 'news') })
  site.clock.advance(729 * 86_400_000)
  await site.context.jobs.runDue()
  expect(visitRows(site)).toHaveLength(2)
  site.clock.advance(2 * 86_400_000)
  await site.context.jobs.runDue()
  expect(visitRows(site)).toEqual([])
  expect(readRows(site)).toHaveLength(1)
  site.clock.advance(1100 * 86_400_000)
  await site.context.jobs.runDue()
  expect(readRows(site)).toEqual([])
})

test('staff codes for the desk read the numbers of a period, others do not', async () => {
  await using site = await startSite({ sending: false })
  await visit(site, { referrer: 'old.example' })
  site.clock.advance(40 * 86_400_000)
  await visit(site, { referrer: 'a.example', campaign: 'launch' })
  await visit(site, { referrer: 'a.example', campaign: 'launch' }, 'order_placed')
  const slug = await published(site, 'news')
  await post(site, { page: 'article', event: 'view', item: slug })
  expect((await site.get('/api/desk/stats')).status).toBe(401)
  const links = await signIn(site, ['links'], { name: 'Links' })
  expect((await site.get('/api/desk/stats', links)).status).toBe(403)
  const desk = await signIn(site, ['desk'])
  const read = async (query = '') =>
    (await site.get(`/api/desk/stats${query}`, desk)).json as SiteStatistics & { period: string }
  const month = await read()
  expect(month).toMatchObject({
    period: '30d',
    from: '2026-12-01',
    to: '2026-12-30',
    totals: { views: 2, visits: 1, enquiry: 0, booking: 0, order: 1, subscription: 0 },
    referrers: [{ name: 'a.example', visits: 1, order: 1 }],
    campaigns: [{ name: '– / – / launch', visits: 1, order: 1 }],
    landings: [{ name: 'Home', visits: 1, order: 1 }],
    read: [{ kind: 'article', slug, views: 1, title: expect.any(String) }],
  })
  expect(month.over).toHaveLength(30)
  expect(month.over.at(-1)).toEqual({ at: '2026-12-30', views: 2, visits: 1 })
  const year = await read('?period=12m')
  expect([year.from, year.over.length, year.totals.visits]).toEqual(['2026-01-01', 12, 2])
  const custom = await read('?period=custom&from=2026-11-20&to=2026-11-20')
  expect(custom).toMatchObject({ period: 'custom', totals: { visits: 1 }, over: [{ visits: 1 }] })
  // Turned round, in the future, endless, or nonsense: never more than there can be.
  expect(await read('?from=2026-11-21&to=2026-11-20')).toMatchObject({
    from: '2026-11-20',
    to: '2026-11-21',
  })
  expect(await read('?from=2999-01-01')).toMatchObject({ from: '2026-12-30', to: '2026-12-30' })
  expect((await read('?from=1900-01-01')).over.length).toBeLessThan(64)
  expect(await read('?period=all&from=x&to[]=y')).toMatchObject({ period: '30d' })
})

test('the command line adds up the same numbers and exports them', async () => {
  await using site = await startSite({ sending: false })
  const slug = await published(site, 'news')
  await visit(site, { referrer: 'a.example', source: 'poster' })
  await visit(site, { referrer: 'a.example', source: 'poster' }, 'contact_sent')
  await visit(site, { referrer: 'b.example' })
  await post(site, { page: 'article', event: 'view', item: slug })
  const cli = async (...args: string[]) =>
    JSON.parse((await runCli(['stats', ...args], site)).out) as unknown
  const span = ['--from', '2026-11-01', '--to', '2026-11-30', '--json']
  expect(await cli('show', 'pages', ...span)).toEqual([
    { kind: 'article', slug, title: expect.any(String), views: 1 },
  ])
  const none = { enquiry: 0, booking: 0, order: 0, subscription: 0 }
  expect(await cli('show', 'referrers', ...span)).toEqual([
    { ...none, name: 'a.example', visits: 1, enquiry: 1 },
    { ...none, name: 'b.example', visits: 1 },
  ])
  expect(await cli('show', 'outcomes', ...span)).toEqual([
    { by: 'referrer', ...none, name: 'a.example', visits: 1, enquiry: 1 },
    { by: 'campaign', ...none, name: 'poster / – / –', visits: 1, enquiry: 1 },
    { by: 'landing', ...none, name: 'Home', visits: 2, enquiry: 1 },
  ])
  expect(await cli('export', '--what', 'reads', '--format', 'json')).toEqual([
    { day: '2026-11-20', kind: 'article', slug, count: 1 },
  ])
  const { out } = await runCli(['stats', 'export', '--what', 'visits'], site)
  expect(out.replace('\u{FEFF}', '').split(/\r?\n/)[0]).toBe(
    'day,dimension,name,medium,campaign,event,count',
  )
  expect(out).toContain('2026-11-20,referrer,a.example,,,enquiry,1')
})
