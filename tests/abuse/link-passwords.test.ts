import { expect, test } from 'vitest'
import { startSite, type Site } from '../support/site.ts'

const password = 'Kaamos ralli'

async function withLink() {
  const site = await startSite()
  const { acts } = site.context.features.links
  await acts.create({ target: 'https://example.com/', code: 'press', password }, 'test')
  return site
}

const attempt = (site: Site, word: string, from: string) =>
  site.post('/l/press', new URLSearchParams({ password: word }).toString(), {
    from,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'X-CSRF-TOKEN': '' },
  })

test('guessing waits longer each time, other addresses do not', async () => {
  await using site = await withLink()
  const guesser = '127.0.0.66'
  for (let n = 0; n < 8; n += 1) {
    expect((await attempt(site, `guess-${n}`, guesser)).status).toBe(303)
  }
  const waits: number[] = []
  for (let n = 0; n < 3; n += 1) {
    const refused = await attempt(site, password, guesser)
    expect([refused.status, refused.headers.refresh]).toEqual([429, undefined])
    waits.push(Number(refused.headers['retry-after']))
    site.clock.advance(waits.at(-1)! * 1000)
    await attempt(site, 'wrong again', guesser)
  }
  expect(waits).toEqual([2, 4, 8])
  expect((await attempt(site, password, '127.0.0.77')).headers.refresh).toBeDefined()
})

test('guesses side by side do not slip through', async () => {
  await using site = await withLink()
  const replies = await Promise.all(
    Array.from({ length: 24 }, (_word, n) => attempt(site, `guess-${n}`, '127.0.0.66')),
  )
  const count = (status: number) => replies.filter((reply) => reply.status === status).length
  expect([count(303), count(429)]).toEqual([8, 16])
})

test('another site cannot guess with the browsers of its visitors, and large forms are refused', async () => {
  await using site = await withLink()
  const foreign = {
    'Content-Type': 'application/x-www-form-urlencoded',
    'Sec-Fetch-Site': 'cross-site',
    Origin: 'https://evil.example',
  }
  const body = new URLSearchParams({ password }).toString()
  expect((await site.post('/l/press', body, { headers: foreign })).status).toBe(403)
  expect((await attempt(site, 'x'.repeat(20_000), '127.0.0.66')).status).toBe(413)
  // Longer than any password: wrong, and never hashed.
  expect((await attempt(site, 'x'.repeat(5_000), '127.0.0.66')).status).toBe(303)
})

test('a query that is passed on leads nowhere else and splits no header', async () => {
  await using site = await withLink()
  await site.context.features.links.acts.edit('press', { forwardQuery: true }, 'test')
  const odd = [
    'x=%0d%0aSet-Cookie:%20a=b',
    'x=1;url=https://elsewhere.example/',
    'x=\'"><script>alert(1)</script>',
    '?https://elsewhere.example/',
    '@elsewhere.example/',
    '%',
    `x=${'a'.repeat(8_000)}`,
  ]
  for (const query of odd) {
    const { status, headers, text } = await site.post(`/l/press?${query}`, `password=${password}`, {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'X-CSRF-TOKEN': '' },
    })
    expect([query, status]).toEqual([query, 200])
    const [, next] = /^0; url=(\S+)$/.exec(headers.refresh as string)!
    expect(new URL(next!).host).toBe('example.com')
    expect(next).not.toMatch(/["'<>]/)
    expect(headers['set-cookie']?.toString() ?? '').not.toContain('a=b')
    expect(text).not.toContain('alert(1)<')
  }
})
