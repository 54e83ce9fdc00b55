import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { startSite, type Site } from '../../support/site.ts'
import { signIn } from '../../support/staff.ts'

const day = 86_400_000

const create = ({ context }: Site, code: string, target: string, more: object = {}) =>
  context.features.links.acts.create({ target, code, ...more }, 'test')

/** What two checks in a row would have noted. */
const fail = (site: Site, code: string, times = 2) =>
  site.context.commit((tx) =>
    site.context.features.links.noteCheck(tx, site.context.features.links.find(code)!, {
      checkedAt: site.clock(),
      failures: times,
      problem: 'answers 404',
    }),
  )

test('the job asks no target on this machine, and notes that it looked', async () => {
  let hits = 0
  const server = createServer((_request, response) => {
    hits += 1
    response.end()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  await using site = await startSite({ sending: false })
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  await create(site, 'inside', target)
  await create(site, 'same', target)
  site.clock.advance(day)
  await site.context.jobs.runDue()
  expect(hits).toBe(0)
  for (const code of ['inside', 'same']) {
    expect(site.context.features.links.find(code)).toMatchObject({ failures: 0, problem: null })
    expect(site.context.features.links.find(code)!.checkedAt).toBe(site.clock())
  }
  server.close()
})

test('targets are due once a week, failing ones the next day, ended links never', async () => {
  await using site = await startSite({ sending: false })
  const { dueForCheck, find, acts } = site.context.features.links
  const due = () => {
    const now = site.clock()
    return dueForCheck({ now, before: now - 7 * day, failingBefore: now - day }, 10).map(
      ({ code }) => code,
    )
  }
  await create(site, 'fine', 'https://a.example/')
  await create(site, 'failing', 'https://b.example/')
  await create(site, 'ended', 'https://c.example/', { expiresAt: site.clock() + 1 })
  await create(site, 'off', 'https://d.example/')
  await acts.setDisabled(['off'], true, 'test')
  site.clock.advance(2)
  expect(due().toSorted()).toEqual(['failing', 'fine'])
  await site.context.commit((tx) => {
    const checkedAt = site.clock()
    const { noteCheck } = site.context.features.links
    noteCheck(tx, find('fine')!, { checkedAt, failures: 0, problem: null })
    noteCheck(tx, find('failing')!, { checkedAt, failures: 1, problem: 'answers 404' })
  })
  expect(due()).toEqual([])
  site.clock.advance(day + 1)
  expect(due()).toEqual(['failing'])
  site.clock.advance(6 * day)
  expect(due().toSorted()).toEqual(['failing', 'fine'])
})

test('a dead target is named after two failures, in lists, doctor and the digest', async () => {
  await using site = await startSite({ sending: false })
  await create(site, 'gone', 'https://gone.example/')
  await create(site, 'fine', 'https://fine.example/')
  const { headers } = await signIn(site, ['links'])
  const list = async (query = '') =>
    (await site.get(`/api/links${query}`, { headers })).json as {
      dead: number
      links: { code: string; dead: string | null }[]
    }
  const warning = () => site.context.features.links.checks.finding()

  await fail(site, 'gone', 1)
  expect((await list()).dead).toBe(0)
  expect(warning().state).toBe('ok')
  await fail(site, 'gone')
  expect(await list('?state=dead')).toMatchObject({
    dead: 1,
    links: [{ code: 'gone', dead: 'answers 404' }],
  })
  expect(warning()).toEqual({ state: 'warn', text: 'dead targets: /l/gone (answers 404)' })
  expect(site.context.features.links.digest!()).toContainEqual({
    count: 1,
    what: 'short links with dead targets',
    command: 'pitlane links list --dead',
  })
  // Another target has a new chance.
  await site.context.features.links.acts.edit('gone', { target: 'https://back.example/' }, 'test')
  expect((await list()).dead).toBe(0)
  expect(site.context.features.links.find('gone')).toMatchObject({ checkedAt: null, failures: 0 })
})

test('a check that ends after the target was changed notes nothing', async () => {
  await using site = await startSite({ sending: false })
  await create(site, 'moved', 'https://old.example/')
  const { find, noteCheck, acts } = site.context.features.links
  const before = find('moved')!
  await acts.edit('moved', { target: 'https://new.example/' }, 'test')
  await site.context.commit((tx) =>
    noteCheck(tx, before, { checkedAt: site.clock(), failures: 2, problem: 'answers 404' }),
  )
  expect(find('moved')).toMatchObject({ failures: 0, checkedAt: null })
})

test('tags are kept in one spelling, found and filtered by, and limited', async () => {
  await using site = await startSite({ sending: false })
  const { headers } = await signIn(site, ['links'])
  const send = (fields: object) => site.post('/api/links', fields, { headers })
  const made = await send({
    target: 'https://a.example/',
    code: 'one',
    tags: ['Rally', ' press  kit', 'rally', ''],
  })
  expect(made.json).toMatchObject({ link: { tags: ['rally', 'press kit'] } })
  await send({ target: 'https://b.example/', code: 'two', tags: ['rally'] })
  await send({ target: 'https://c.example/', code: 'three' })
  const found = async (query: string) => {
    const { json } = await site.get(`/api/links${query}`, { headers })
    const { links, tags } = json as { links: { code: string }[]; tags: string[] }
    return [links.map(({ code }) => code), tags]
  }
  expect(await found('')).toEqual([
    ['three', 'two', 'one'],
    ['rally', 'press kit'],
  ])
  expect((await found('?tag=rally'))[0]).toEqual(['two', 'one'])
  expect((await found('?tag=rall'))[0]).toEqual([])
  expect((await found('?q=press'))[0]).toEqual(['one'])
  for (const tags of [
    Array.from({ length: 11 }, (_, n) => `t${n}`),
    ['x'.repeat(31)],
    ['a,b'],
    ['<b>'],
  ]) {
    const refused = await send({ target: 'https://d.example/', tags })
    expect([refused.status, Object.keys((refused.json as { errors: object }).errors)]).toEqual([
      400,
      ['tags'],
    ])
  }
})

test('the list has the clicks of the last 30 days of each link', async () => {
  await using site = await startSite({ sending: false })
  const { count } = site.context.features.links
  const { id } = await create(site, 'one', 'https://a.example/')
  const click = { human: true, referrer: '', device: 'phone' } as const
  count(id, click)
  site.clock.advance(29 * day)
  count(id, click)
  count(id, click)
  const { headers } = await signIn(site, ['links'])
  const { json } = await site.get('/api/links', { headers })
  const [link] = (json as { links: { clicks: { recent: number[] } }[] }).links
  expect(link!.clicks.recent).toEqual([1, ...Array.from({ length: 28 }, () => 0), 2])
})
