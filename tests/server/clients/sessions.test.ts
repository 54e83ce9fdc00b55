import { expect, test } from 'vitest'
import { makeClient, signIn, tryCode } from '../../support/clients.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { startSite, type Site } from '../../support/site.ts'

const day = 86_400_000

const isSignedIn = async (site: Site, cookie: string) =>
  (await site.get('/api/session', { headers: { Cookie: cookie } })).json?.signedIn

test('no cookie and a forged cookie are no session', async () => {
  await using site = await startSite()
  const made = ['client=', `client=${'a'.repeat(43)}`, 'client=j%3A%7B%22a%22%3A1%7D', 'client=%00']
  for (const cookie of ['', ...made]) {
    const reply = await site.get('/api/session', { headers: { Cookie: cookie } })
    expect(reply.status).toBe(200)
    expect(reply.json).toEqual({ signedIn: false })
  }
})

test('signing in gives a new cookie and ends the session of the old one', async () => {
  await using site = await startSite()
  const { code } = await makeClient(site)
  const planted = `client=${'p'.repeat(43)}`
  const first = await signIn(site, code, { headers: { Cookie: planted } })
  expect(first).not.toBe(planted)
  expect(await isSignedIn(site, planted)).toBe(false)
  const second = await signIn(site, code, { headers: { Cookie: first } })
  expect(second).not.toBe(first)
  expect(await isSignedIn(site, first)).toBe(false)
  expect(await isSignedIn(site, second)).toBe(true)
})

test('a wrong code leaves the session as it is', async () => {
  await using site = await startSite()
  const { code } = await makeClient(site)
  const cookie = await signIn(site, code)
  await tryCode(site, 'WRONG', { headers: { Cookie: cookie } })
  expect(await isSignedIn(site, cookie)).toBe(true)
})

test('revoking a code ends its sessions at once, and those of no other code', async () => {
  await using site = await startSite()
  const one = await makeClient(site)
  const other = await makeClient(site, { panel: 'other' })
  const cookies = [await signIn(site, one.code), await signIn(site, one.code)]
  const kept = await signIn(site, other.code)
  await site.context.commit((tx) => site.context.features.clients.codes.revoke(tx, one.codeId))
  for (const cookie of cookies) expect(await isSignedIn(site, cookie)).toBe(false)
  expect(await isSignedIn(site, kept)).toBe(true)
})

test('rotating a code ends its sessions; the new one has the same rules', async () => {
  await using site = await startSite()
  const {
    features: { clients },
  } = site.context
  const { code, codeId } = await makeClient(site, { scopes: ['view', 'ops'], label: 'Aino' })
  const cookie = await signIn(site, code)
  const next = await site.context.commit((tx) =>
    clients.codes.rotate(tx, clients.codes.find(codeId)!),
  )
  expect(await isSignedIn(site, cookie)).toBe(false)
  expect((await tryCode(site, code)).status).toBe(401)
  const reply = await tryCode(site, next.code)
  expect(reply.json?.data).toMatchObject({ scopes: ['view', 'ops'] })
})

test('disabling a client ends its sessions for good, and enabling it lets its codes in again', async () => {
  await using site = await startSite()
  const { client, code } = await makeClient(site)
  const cookie = await signIn(site, code)
  await runOn(site, 'clients', 'disable', client.panel)
  expect(await isSignedIn(site, cookie)).toBe(false)
  expect((await tryCode(site, code)).status).toBe(401)
  await runOn(site, 'clients', 'enable', client.panel)
  // It may be a stranger's.
  expect(await isSignedIn(site, cookie)).toBe(false)
  expect(await isSignedIn(site, await signIn(site, code))).toBe(true)
})

test('a session that ended with its code stays ended when the code is extended', async () => {
  await using site = await startSite()
  const { code, codeId } = await makeClient(site)
  const cookie = await signIn(site, code)
  const { codes, acts } = site.context.features.clients
  const extend = (days: number) =>
    acts.extendCode(codes.find(codeId)!, site.clock() + days * day, 'mika')
  await extend(1)
  expect(await isSignedIn(site, cookie)).toBe(true)
  site.clock.advance(3 * day)
  await extend(90)
  expect(await isSignedIn(site, cookie)).toBe(false)
  expect(await isSignedIn(site, await signIn(site, code))).toBe(true)
})

test('a session ends after a week without use, and after 30 days whatever happens', async () => {
  await using site = await startSite()
  const { code } = await makeClient(site)
  const idle = await signIn(site, code)
  const used = await signIn(site, code)
  for (let days = 6; days < 30; days += 6) {
    site.clock.advance(6 * day)
    expect(await isSignedIn(site, used)).toBe(true)
  }
  expect(await isSignedIn(site, idle)).toBe(false)
  site.clock.advance(6 * day - 1)
  expect(await isSignedIn(site, used)).toBe(true)
  site.clock.advance(1)
  expect(await isSignedIn(site, used)).toBe(false)
})

test('a session ends with its code, also when that is shortened later', async () => {
  await using site = await startSite()
  const { code, codeId } = await makeClient(site, { expiresAt: site.clock() + 2 * day })
  const { json } = await tryCode(site, code)
  expect(json?.data).toMatchObject({ expiresAt: '2026-11-22T12:00:00.000Z' })
  const cookie = await signIn(site, code)
  site.clock.advance(day)
  expect(await isSignedIn(site, cookie)).toBe(true)
  await site.context.commit((tx) =>
    site.context.features.clients.codes.extend(tx, codeId, site.clock()),
  )
  expect(await isSignedIn(site, cookie)).toBe(false)
})

test.each([
  ['JSON', '{}', 'application/json', 200],
  ['no body', '', '', 200],
  ['a form', '', 'application/x-www-form-urlencoded', 303],
])(
  'logging out by %s ends the session and takes the cookie away',
  async (_, body, type, status) => {
    await using site = await startSite()
    const { code } = await makeClient(site)
    const cookie = await signIn(site, code)
    const reply = await site.post('/api/logout', body, {
      headers: { Cookie: cookie, 'Content-Type': type },
    })
    expect(reply.status).toBe(type.includes('form') ? 303 : status)
    expect(reply.headers['set-cookie']).toEqual([expect.stringMatching(/^client=; Max-Age=0;/)])
    expect(await isSignedIn(site, cookie)).toBe(false)
  },
)

test('logging out needs our own page: other origins and GET are refused', async () => {
  await using site = await startSite()
  const { code } = await makeClient(site)
  const cookie = await signIn(site, code)
  const foreign = { Origin: 'https://elsewhere.example', 'Sec-Fetch-Site': 'cross-site' }
  const post = await site.post('/api/logout', '', { headers: { Cookie: cookie, ...foreign } })
  expect(post.status).toBe(403)
  const get = await site.get('/api/logout', { headers: { Cookie: cookie } })
  expect(get.status).toBe(405)
  expect(await isSignedIn(site, cookie)).toBe(true)
})

test('sessions survive a restart', async () => {
  await using site = await startSite()
  const { code } = await makeClient(site)
  const cookie = await signIn(site, code)
  await using again = await startSite({ dataDir: site.dataDir, clock: site.clock })
  expect(await isSignedIn(again, cookie)).toBe(true)
})
