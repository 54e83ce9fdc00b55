import { expect, test } from 'vitest'
import { startSite, type Site } from '../support/site.ts'

const person = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/142.0.0.0 Safari/537.36' }

const visit = (
  site: Site,
  referrer: string,
  { from, campaign }: { from: string; campaign?: string },
) =>
  site.post(
    '/api/collect',
    { page: 'home', event: 'view', visit: { referrer, campaign, landing: 'home' } },
    { headers: person, from },
  )

const named = ({ context }: Site, dimension: string) =>
  context.features.analytics.visits
    .list({ from: '', to: '9999' })
    .filter((row) => row.dimension === dimension)
    .map(({ name, campaign, count }) => [name || campaign, count] as const)

test('one network brings up few new hosts and campaigns in a day; the rest are counted as other', async () => {
  await using site = await startSite({ sending: false })
  for (let n = 0; n < 60; n += 1) {
    await visit(site, `spam-${n}.example`, { from: '127.0.0.2', campaign: `sale-${n}` })
  }
  for (const dimension of ['referrer', 'campaign']) {
    const rows = named(site, dimension)
    expect(rows).toHaveLength(11)
    expect(rows.find(([name]) => name === 'other')).toEqual(['other', 50])
  }
})

test('a flood from many networks ends too, and leaves known sites their names', async () => {
  await using site = await startSite({ sending: false })
  await visit(site, 'partner.example', { from: '127.0.0.2' })
  site.clock.advance(86_400_000)
  for (let network = 0; network < 10; network += 1) {
    for (let n = 0; n < 10; n += 1) {
      await visit(site, `spam-${network}-${n}.example`, { from: `127.0.${network}.9` })
    }
  }
  await visit(site, 'partner.example', { from: '127.0.0.2' })
  await visit(site, 'late.example', { from: '127.0.99.2' })
  const today = named(site, 'referrer')
  expect(today.filter(([name]) => name.startsWith('spam'))).toHaveLength(30)
  expect(today.filter(([name]) => name === 'partner.example')).toHaveLength(2)
  expect(today.filter(([name]) => name === 'late.example')).toEqual([])
  expect(today.find(([name]) => name === 'other')).toEqual(['other', 71])
})

test('made-up slugs leave nothing behind', async () => {
  await using site = await startSite({ sending: false })
  for (let n = 0; n < 100; n += 1) {
    const body = { page: 'article', event: 'view', item: `made-up-${n}` }
    await site.post('/api/collect', body, { headers: person })
  }
  expect(site.context.features.analytics.reads.list({ from: '', to: '9999' })).toEqual([])
})
