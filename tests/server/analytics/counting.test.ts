import { expect, test } from 'vitest'
import { createPageCounts } from '#server/analytics/store.ts'
import { runCli } from '../../support/run-cli.ts'
import { startSite, type Site } from '../../support/site.ts'

const person = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/142.0.0.0 Safari/537.36' }

const post = (site: Site, page: unknown, event: unknown = 'view', headers = person) =>
  site.post('/api/collect', { page, event }, { headers })

const list = (site: Site) => createPageCounts(site.context.db, site.context).list()

test('views are added up by day and kind of page', async () => {
  await using site = await startSite({ sending: false })
  const reply = await post(site, 'home')
  expect(reply.status).toBe(202)
  expect(reply.headers['set-cookie']).toBeUndefined()
  await post(site, 'home')
  await post(site, 'home', 'contact_sent')
  site.clock.advance(11 * 3_600_000)
  await post(site, 'home')
  expect(list(site)).toEqual([
    { day: '2026-11-20', page: 'home', event: 'contact_sent', count: 1 },
    { day: '2026-11-20', page: 'home', event: 'view', count: 2 },
    { day: '2026-11-21', page: 'home', event: 'view', count: 1 },
  ])
})

test('the privacy policy names the counts, and they are forgotten after five years', async () => {
  await using site = await startSite({ sending: false })
  await post(site, 'home')
  const { json } = await site.get('/api/privacy/retention')
  expect((json as { rows: { what: string }[] }).rows).toContainEqual(
    expect.objectContaining({ what: 'Counting page views' }),
  )
  site.clock.advance(4 * 366 * 86_400_000)
  await site.context.jobs.runDue()
  expect(list(site)).toHaveLength(1)
  site.clock.advance(367 * 86_400_000)
  await site.context.jobs.runDue()
  expect(list(site)).toEqual([])
})

test('robots are not counted', async () => {
  await using site = await startSite({ sending: false })
  for (const agent of ['Googlebot/2.1 (+http://www.google.com/bot.html)', 'curl/8.5.0', '']) {
    expect((await post(site, 'home', 'view', { 'User-Agent': agent })).status).toBe(202)
  }
  expect(list(site)).toEqual([])
})

test.each([
  ['a page of somebody’s invention', '/panel/secret', 'view'],
  ['an event of somebody’s invention', 'home', 'bought'],
  ['no page', undefined, 'view'],
  ['a list', ['home'], 'view'],
])('%s is refused, so that nobody fills the table', async (_, page, event) => {
  await using site = await startSite({ sending: false })
  expect((await post(site, page, event)).status).toBe(400)
  expect(list(site)).toEqual([])
})

test('another site cannot count here', async () => {
  await using site = await startSite({ sending: false })
  const foreign = { ...person, 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' }
  expect((await post(site, 'home', 'view', foreign)).status).toBe(403)
})

test('staff read the counts, with the decisions about cookies, from the command line', async () => {
  await using site = await startSite({ sending: false })
  await post(site, 'article')
  await site.post('/api/consent', {
    decision: 'reject',
    policyVersion: 'x',
    at: '2026-11-20T12:00:00Z',
  })
  site.clock.advance(86_400_000)
  await post(site, 'home')
  const first = [
    { day: '2026-11-20', what: 'view', page: 'article', count: 1 },
    { day: '2026-11-20', what: 'cookies: reject', page: null, count: 1 },
  ]
  const second = { day: '2026-11-21', what: 'view', page: 'home', count: 1 }
  const cli = async (...args: string[]) =>
    JSON.parse((await runCli(['stats', ...args], site)).out) as unknown
  expect(await cli('list', '--json')).toEqual([...first, second])
  expect(await cli('list', '--json', '--to', '2026-11-20')).toEqual(first)
  expect(await cli('export', '--format', 'json', '--from', '2026-11-21')).toEqual([second])
})
