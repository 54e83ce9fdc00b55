import { describe, expect, test } from 'vitest'
import { send } from '../../support/send.ts'
import { startSite, type Site } from '../../support/site.ts'
import { runSql } from '../../support/raw-database.ts'

const browser =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36'
const asPerson = { headers: { 'User-Agent': browser } }
const asBot = { headers: { 'User-Agent': 'Slackbot-LinkExpanding 1.0' } }
const day = 86_400_000

type LinkFields = Parameters<Site['context']['features']['links']['create']>[1]

const make = ({ context }: Site, fields: Partial<LinkFields> = {}) =>
  context.commit((tx) =>
    context.features.links.create(
      tx,
      { target: 'https://example.com/race', code: 'Kaamos', ...fields },
      'test',
    ),
  )

const clicks = async ({ context }: Site, code = 'kaamos') => {
  await context.features.links.flush()
  const { human, bot } = context.features.links.find(code)!
  return { human, bot }
}

describe('a short link', () => {
  test('a code redirects with no-store and noindex, in any case of its letters', async () => {
    await using site = await startSite()
    await make(site)
    for (const path of ['/l/Kaamos', '/l/KAAMOS', '/l/kaamos?x=1']) {
      const { status, headers, text } = await site.get(path, asPerson)
      expect(status).toBe(302)
      expect(headers).toMatchObject({
        location: 'https://example.com/race',
        'cache-control': 'no-store',
        'x-robots-tag': 'noindex',
        'referrer-policy': 'strict-origin-when-cross-origin',
        'x-content-type-options': 'nosniff',
        'x-request-id': expect.any(String),
      })
      expect(text).toBe('')
    }
    expect(await clicks(site)).toEqual({ human: 3, bot: 0 })
    const line = site
      .logLines()
      .map((each) => JSON.parse(each) as { path?: string; status?: number })
    expect(line.filter(({ path }) => path?.startsWith('/l/')).map(({ status }) => status)).toEqual([
      302, 302, 302,
    ])
  })

  test('answers HEAD and counts it as a machine', async () => {
    await using site = await startSite()
    await make(site)
    const { status, headers } = await send(`${site.url}/l/kaamos`, { method: 'HEAD', ...asPerson })
    expect(status).toBe(302)
    expect(headers.location).toBe('https://example.com/race')
    expect(await clicks(site)).toEqual({ human: 0, bot: 1 })
  })

  test('is not followed for other methods', async () => {
    await using site = await startSite()
    await make(site)
    const { status } = await site.post('/l/kaamos', {})
    expect(status).not.toBe(302)
  })

  test('counts previews and prefetches as machines', async () => {
    await using site = await startSite()
    await make(site)
    await site.get('/l/kaamos', asBot)
    await site.get('/l/kaamos', { headers: { 'User-Agent': '' } })
    await site.get('/l/kaamos', { headers: { 'User-Agent': browser, 'Sec-Purpose': 'prefetch' } })
    await site.get('/l/kaamos', { headers: { 'User-Agent': browser, 'X-Purpose': 'preview' } })
    expect(await clicks(site)).toEqual({ human: 0, bot: 4 })
  })

  test('does not work before its start, after its end, or switched off', async () => {
    await using site = await startSite()
    const now = site.clock()
    await make(site, { startsAt: now + day, expiresAt: now + 2 * day })
    const status = async () => (await site.get('/l/kaamos', asPerson)).status
    expect(await status()).not.toBe(302)
    site.clock.advance(day)
    expect(await status()).toBe(302)
    await site.context.commit((tx) =>
      site.context.features.links.edit(tx, 'kaamos', { disabled: true }),
    )
    expect(await status()).not.toBe(302)
    await site.context.commit((tx) =>
      site.context.features.links.edit(tx, 'kaamos', { disabled: false }),
    )
    expect(await status()).toBe(302)
    site.clock.advance(day)
    expect(await status()).not.toBe(302)
    await site.context.commit((tx) =>
      site.context.features.links.edit(tx, 'kaamos', { expiresAt: null }),
    )
    expect(await status()).toBe(302)
  })

  test('never grants more clicks than its maximum, and machines use up none', async () => {
    await using site = await startSite()
    await make(site, { maxClicks: 5 })
    for (let n = 0; n < 3; n += 1) expect((await site.get('/l/kaamos', asBot)).status).toBe(302)
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => site.get('/l/kaamos', asPerson)),
    )
    expect(replies.filter(({ status }) => status === 302)).toHaveLength(5)
    expect((await site.get('/l/kaamos', asBot)).status).not.toBe(302)
    expect(await clicks(site)).toEqual({ human: 5, bot: 3 })
    await site.context.commit((tx) =>
      site.context.features.links.edit(tx, 'kaamos', { maxClicks: null }),
    )
    expect((await site.get('/l/kaamos', asPerson)).status).toBe(302)
    expect(await clicks(site)).toEqual({ human: 6, bot: 3 })
  })

  test('keeps the clicks of a link with a maximum without waiting', async () => {
    await using site = await startSite()
    await make(site, { maxClicks: 5 })
    await site.get('/l/kaamos', asPerson)
    expect(site.context.features.links.find('kaamos')?.human).toBe(1)
  })

  test("forwarded query and UTM values are added; the target's own win", async () => {
    await using site = await startSite()
    await make(site, {
      target: 'https://example.com/race?utm_source=own&sig=a%2Bb#stage',
      forwardQuery: true,
      utm: { source: 'ignored', campaign: 'season 27' },
    })
    const where = async (query: string) =>
      (await site.get(`/l/kaamos${query}`, asPerson)).headers.location
    expect(await where('')).toBe(
      'https://example.com/race?utm_source=own&sig=a%2Bb&utm_campaign=season+27#stage',
    )
    expect(await where('?sig=forged&seat=12&utm_campaign=poster')).toBe(
      'https://example.com/race?utm_source=own&sig=a%2Bb&seat=12&utm_campaign=poster#stage',
    )
    await site.context.commit((tx) =>
      site.context.features.links.edit(tx, 'kaamos', { forwardQuery: false, utm: null }),
    )
    expect(await where('?seat=12')).toBe('https://example.com/race?utm_source=own&sig=a%2Bb#stage')
  })

  test('is not followed when its row was tampered with', async () => {
    await using site = await startSite()
    for (const [code, target] of Object.entries({
      script: 'javascript:alert(1)',
      nobody: 'not an address',
      loop: `${site.url}/l/loop`,
      user: 'https://me:secret@example.com/',
    })) {
      await make(site, { code })
      runSql(site.dataDir, 'UPDATE links SET target = ? WHERE code = ?', target, code)
      expect((await site.get(`/l/${code}`, asPerson)).status).not.toBe(302)
    }
  })

  test('writes its counts down on the way out', async () => {
    const site = await startSite()
    await make(site)
    await site.get('/l/kaamos', asPerson)
    const { dataDir } = site
    await using other = await startSite({ dataDir })
    await site.context.close()
    expect(other.context.features.links.find('kaamos')?.human).toBe(1)
    await site[Symbol.asyncDispose]()
  })

  test('counts by day in Helsinki, by referring host and by device, without addresses', async () => {
    await using site = await startSite()
    const { id } = await make(site)
    const from = (referer: string, agent = browser) => ({
      headers: { 'User-Agent': agent, Referer: referer },
    })
    const phone =
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'
    // 14.00 in Helsinki; ten hours and a minute later it is tomorrow there, but not in UTC.
    await site.get('/l/kaamos', from('https://www.example.org/some/page?token=abc'))
    site.clock.advance(10 * 3_600_000 + 60_000)
    await site.get('/l/kaamos', from('https://www.example.org/', phone))
    await site.get('/l/kaamos', from('nonsense\u0001', phone).headers && asPerson)
    await site.context.features.links.flush()
    const { days, referrers, devices } = site.context.features.links.countsSince(id, '2026-01-01')
    expect(days).toEqual([
      { day: '2026-11-20', human: 1, bot: 0 },
      { day: '2026-11-21', human: 2, bot: 0 },
    ])
    expect(referrers).toEqual([
      { name: 'www.example.org', count: 2 },
      { name: '', count: 1 },
    ])
    expect(devices).toEqual([
      { name: 'computer', count: 2 },
      { name: 'phone', count: 1 },
    ])
    const columns = site.context.db
      .prepare(
        `SELECT DISTINCT name FROM pragma_table_info('link_days')
         UNION SELECT name FROM pragma_table_info('link_referrers') ORDER BY name`,
      )
      .pluck()
      .all()
    expect(columns.join(' ')).toBe('bot computer count day host human link other phone tablet')
  })

  test('keeps its clicks when an edit fails, and when the database does not take them', async () => {
    await using site = await startSite()
    await make(site)
    for (let n = 0; n < 3; n += 1) await site.get('/l/kaamos', asPerson)
    const {
      commit,
      features: { links },
    } = site.context
    const edit = commit((tx) => links.edit(tx, 'kaamos', { target: 'not an address' }))
    await expect(edit).rejects.toThrow()
    runSql(
      site.dataDir,
      "CREATE TRIGGER refused BEFORE UPDATE ON links BEGIN SELECT RAISE(ABORT, 'disk I/O error'); END",
    )
    await links.flush()
    await site.get('/l/kaamos', asPerson)
    site.clock.advance(day)
    await site.get('/l/kaamos', asPerson)
    await links.flush()
    expect(links.find('kaamos')?.human).toBe(0)
    runSql(site.dataDir, 'DROP TRIGGER refused')
    expect(await clicks(site)).toEqual({ human: 5, bot: 0 })
    const { id } = links.find('kaamos')!
    expect(links.countsSince(id, '2026-01-01').days).toEqual([
      { day: '2026-11-20', human: 4, bot: 0 },
      { day: '2026-11-21', human: 1, bot: 0 },
    ])
  })

  test('counts invented referrers beyond a hundred as one', async () => {
    await using site = await startSite()
    const { id } = await make(site)
    for (let n = 0; n < 150; n += 1)
      site.context.features.links.count(id, {
        human: true,
        referrer: `host${n}.example`,
        device: 'other',
      })
    const kept = site.context.db.prepare('SELECT count(*) FROM link_referrers').pluck()
    await site.context.features.links.flush()
    for (let n = 150; n < 300; n += 1)
      site.context.features.links.count(id, {
        human: true,
        referrer: `host${n}.example`,
        device: 'other',
      })
    await site.context.features.links.flush()
    expect(kept.get()).toBe(101)
  })
})
