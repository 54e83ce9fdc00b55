import { expect, test } from 'vitest'
import type { Panel } from '#shared/clients/clients.ts'
import { makeClient, signIn, tryCode } from '../../support/clients.ts'
import { startSite, type Site } from '../../support/site.ts'

const wrong = {
  success: false,
  code: 'signed-out',
  message: 'Invalid secret code. Please try again.',
}

const session = async (site: Site, cookie: string) =>
  (await site.get('/api/session', { headers: { Cookie: cookie } })).json

test('a right code is answered with who is signed in, and a cookie that scripts cannot read', async () => {
  await using site = await startSite()
  const { code } = await makeClient(site)
  const reply = await tryCode(site, code)
  expect(reply.status).toBe(200)
  expect(reply.headers['cache-control']).toBe('no-store')
  expect(reply.json).toEqual({
    success: true,
    message: 'Authentication successful',
    data: {
      name: 'Nordic Rally Team',
      panel: 'nordic-rally-team',
      scopes: ['view', 'download'],
      expiresAt: '2026-12-20T12:00:00.000Z',
    },
  })
  const [cookie, ...more] = reply.headers['set-cookie']!
  expect(more).toEqual([])
  expect(cookie).toMatch(/^client=[\w-]{43}; Max-Age=2592000; Path=\/; .*HttpOnly; SameSite=Lax$/)
  expect(await session(site, cookie!)).toMatchObject({ signedIn: true, name: 'Nordic Rally Team' })
})

test('over https the cookie is Secure and belongs to this host alone', async () => {
  await using site = await startSite({ env: { SITE_URL: 'https://www.example.com' } })
  const { code } = await makeClient(site)
  const reply = await tryCode(site, code)
  expect(reply.headers['set-cookie']).toEqual([
    expect.stringMatching(/^__Host-client=.*; Path=\/; .*HttpOnly; Secure; SameSite=Lax$/),
  ])
})

test.each([['ab'], ['  a '], [''], [null], [12_345], [undefined]])(
  'a code of under 3 characters is told so: %j',
  async (code) => {
    await using site = await startSite()
    const reply = await tryCode(site, code)
    expect(reply.status).toBe(400)
    expect(reply.json?.message).toBe('Secret code must be at least 3 characters long')
  },
)

test('wrong, expired, revoked, used up and disabled codes are answered alike', async () => {
  await using site = await startSite()
  const {
    features: { clients },
  } = site.context
  const soon = site.clock() + 1000
  const expired = await makeClient(site, { panel: 'expired', expiresAt: soon })
  const revoked = await makeClient(site, { panel: 'revoked' })
  const usedUp = await makeClient(site, { panel: 'used-up', maxUses: 1 })
  const disabled = await makeClient(site, { panel: 'disabled' })
  await signIn(site, usedUp.code)
  await site.context.commit((tx) => clients.codes.revoke(tx, revoked.codeId))
  await site.context.commit((tx) =>
    clients.change(tx, { ...disabled.client, disabledAt: site.clock() }),
  )
  site.clock.advance(1000)
  const codes = [expired, revoked, usedUp, disabled].map(({ code }) => code)
  for (const code of [...codes, 'NOBODY-HAS1', 'x'.repeat(5000), "' OR 1=1 --"]) {
    const { status, json, headers } = await tryCode(site, code)
    expect({ status, json }).toEqual({ status: 401, json: wrong })
    expect(headers['set-cookie']).toBeUndefined()
  }
})

test('a code may be typed in lower case, without its dash, and with look-alike letters', async () => {
  await using site = await startSite()
  const { code } = await makeClient(site, { chosen: 'PIT10-LANE0' })
  for (const typed of [code, 'pit10lane0', 'pitlo–laneo', ' PiT 1O LANE O ']) {
    expect((await tryCode(site, typed)).status).toBe(200)
  }
})

test('a random code has ten characters, and no two are alike', async () => {
  await using site = await startSite()
  const { client, code } = await makeClient(site)
  expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/)
  const rules = { label: '', scopes: [], expiresAt: null, maxUses: null }
  const { codes } = site.context.features.clients
  const made = await site.context.commit((tx) =>
    Array.from({ length: 50 }, () => codes.add(tx, client.id, rules).code),
  )
  expect(new Set([code, ...made]).size).toBe(51)
})

test('signing in from another origin is refused', async () => {
  await using site = await startSite()
  const { code } = await makeClient(site)
  const reply = await tryCode(site, code, {
    headers: { Origin: 'https://elsewhere.example', 'Sec-Fetch-Site': 'cross-site' },
  })
  expect(reply.status).toBe(403)
  expect(reply.headers['set-cookie']).toBeUndefined()
})

test('signing in needs no security token, as the specification sends none', async () => {
  await using site = await startSite()
  const { code } = await makeClient(site)
  const reply = await tryCode(site, code, { headers: { Cookie: '', 'X-CSRF-TOKEN': '' } })
  expect(reply.status).toBe(200)
})

test('neither codes nor cookies reach the log or the database', async () => {
  await using site = await startSite()
  const { code } = await makeClient(site, { label: 'Aino' })
  const cookie = await signIn(site, code)
  await tryCode(site, 'A-WRONG-CODE')
  await site.get('/panel/nordic-rally-team', { headers: { Cookie: cookie } })
  await site.post('/client-zone', `secretCode=${code}`, {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  })
  const value = cookie.split('=')[1]!
  const log = site.logLines().join('')
  const stored = JSON.stringify(
    ['codes', 'sessions', 'client_activity'].map((table) =>
      site.context.db.prepare(`SELECT * FROM ${table}`).all(),
    ),
  )
  for (const secret of [code, code.replace('-', ''), value, 'A-WRONG-CODE']) {
    expect(log).not.toContain(secret)
    expect(stored).not.toContain(secret)
  }
})

test('the name given on signing in is cleaned, cut, and kept in the activity', async () => {
  await using site = await startSite()
  const { client, code } = await makeClient(site, { label: 'Crew' })
  const enter = async (name: unknown) => {
    const reply = await site.post('/api/authenticate-client', { secretCode: code, name })
    expect(reply.status).toBe(200)
    return reply.headers['set-cookie']![0]!.split(';')[0]!
  }
  const cookie = await enter('  Aino\n<b>Virtanen</b> ')
  await enter('x'.repeat(500))
  for (const odd of ['', ' ', 7, null, { a: 1 }]) await enter(odd)
  const names = site.context.features.clients.activity(client.id, 20).map(({ who }) => who)
  expect(names).toEqual([null, null, null, null, null, 'x'.repeat(80), 'Aino <b>Virtanen</b>'])
  // Neither half a sign nor a direction that goes on beyond the name.
  await enter(`\u2067${'x'.repeat(78)}🏁🏁`)
  const [cut] = site.context.features.clients.activity(client.id, 1)
  expect(cut!.who).toBe(`\u2067${'x'.repeat(78)}🏁\u2069`)
  await site.post('/api/logout', {}, { headers: { Cookie: cookie } })
  expect(site.context.features.clients.activity(client.id, 1)).toMatchObject([
    { kind: 'sign-out', who: 'Aino <b>Virtanen</b>', code: 'Crew' },
  ])
  const { json } = await site.get('/api/panel', { headers: { Cookie: await enter('Elias') } })
  expect((json!.panel as Panel).activity[0]!.text).toBe('Elias: Signed in with “Crew”')
})

test('without scripts a form signs in and leads to the panel', async () => {
  await using site = await startSite()
  const { code } = await makeClient(site)
  const post = (body: Record<string, string>) =>
    site.post('/client-zone', new URLSearchParams(body).toString(), {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'X-CSRF-TOKEN': '' },
    })
  const right = await post({ secretCode: code })
  expect(right.status).toBe(303)
  expect(right.headers.location).toBe('/panel/nordic-rally-team#result')
  expect(right.headers['set-cookie']).toHaveLength(1)
  const places = [
    [{ secretCode: code, next: '/links' }, '/links#result'],
    [
      { secretCode: code, next: '/desk?q=Nordic+Rally+%26+Co' },
      '/desk?q=Nordic+Rally+%26+Co#result',
    ],
    [{ secretCode: 'ab', next: '/desk?q=Aino' }, '/desk?q=Aino&problem=short#secret-code'],
    [{ secretCode: code, next: '/desk?q=a\r\nb' }, '/panel/nordic-rally-team#result'],
    [{ secretCode: code, next: '/desk?//x\\y' }, '/panel/nordic-rally-team#result'],
    [{ secretCode: code, next: 'https://elsewhere.example/' }, '/panel/nordic-rally-team#result'],
    [{ secretCode: code, next: '//elsewhere.example' }, '/panel/nordic-rally-team#result'],
    [{ secretCode: 'wrong' }, '/client-zone?problem=wrong#secret-code'],
    [{ secretCode: 'ab', next: '/links' }, '/links?problem=short#secret-code'],
    [{}, '/client-zone?problem=short#secret-code'],
  ] as const
  for (const [body, location] of places) {
    expect((await post(body)).headers.location).toBe(location)
  }
})
