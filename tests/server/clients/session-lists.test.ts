import { expect, test } from 'vitest'
import { makeClient, signIn } from '../../support/clients.ts'
import { csrfHeaders } from '../../support/send.ts'
import { startSite, type Site } from '../../support/site.ts'

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'

const sessionsOf = (site: Site, cookie: string) =>
  site.get('/api/desk/sessions', { headers: { Cookie: cookie } })

const end = (site: Site, cookie: string, session: unknown) =>
  site.post(
    '/api/desk/sessions',
    { session },
    {
      headers: { ...csrfHeaders, Cookie: `${csrfHeaders.Cookie}; ${cookie}` },
    },
  )

const isSignedIn = async (site: Site, cookie: string) =>
  (await site.get('/api/session', { headers: { Cookie: cookie } })).json?.signedIn

type Line = { id: number; who: string; network: string; browser: string | null; isThis: boolean }
const listed = async (site: Site, cookie: string) =>
  (await sessionsOf(site, cookie)).json as { own: Line[]; others: Line[] | null }

test('staff see the sessions of their code: who, since when, last use, network and browser', async () => {
  await using site = await startSite()
  const { code } = await makeClient(site, { label: 'Aino', scopes: ['desk'] })
  const since = new Date(site.clock()).toISOString()
  await signIn(site, code, { headers: { 'User-Agent': firefox }, from: '127.0.44.55' })
  site.clock.advance(3_600_000)
  const cookie = await signIn(site, code, { headers: { 'User-Agent': 'Evil<script>/1.0' } })
  expect(await listed(site, cookie)).toEqual({
    own: [
      {
        id: 2,
        who: 'Aino',
        label: 'Aino',
        since: new Date(site.clock()).toISOString(),
        lastUsed: new Date(site.clock()).toISOString(),
        network: '127.0.0.0',
        browser: null,
        isThis: true,
      },
      {
        id: 1,
        who: 'Aino',
        label: 'Aino',
        since,
        lastUsed: since,
        network: '127.0.44.0',
        browser: 'Firefox on Windows',
        isThis: false,
      },
    ],
    others: null,
  })
})

test('a session ends by its number, and all others of the code at once', async () => {
  await using site = await startSite()
  const { code, client } = await makeClient(site, { label: 'Aino', scopes: ['desk'] })
  const cookies = [await signIn(site, code), await signIn(site, code), await signIn(site, code)]
  const mine = await signIn(site, code)
  expect((await end(site, mine, '1')).json).toEqual({ success: true, ended: 1 })
  expect(await isSignedIn(site, cookies[0]!)).toBe(false)
  expect((await end(site, mine, '1')).status).toBe(410)
  expect((await end(site, mine, 'others')).json).toEqual({ success: true, ended: 2 })
  expect(await isSignedIn(site, cookies[2]!)).toBe(false)
  expect(await isSignedIn(site, mine)).toBe(true)
  const acts = site.context.timeline.of('client', String(client.id))
  expect(acts.map(({ actor, act }) => `${actor}: ${act}`)).toEqual([
    'Aino: session ended',
    'Aino: 2 sessions ended',
  ])
})

test('only codes with ops see and end the sessions of other staff, and never those of clients', async () => {
  await using site = await startSite()
  const client = await makeClient(site)
  const desk = await makeClient(site, { panel: 'desk', label: 'Aino', scopes: ['desk'] })
  const ops = await makeClient(site, { panel: 'ops', label: 'Eero', scopes: ['desk', 'ops'] })
  const visitor = await signIn(site, client.code)
  const colleague = await signIn(site, desk.code)
  const chief = await signIn(site, ops.code)
  for (const id of ['1', '3', '99']) expect((await end(site, colleague, id)).status).toBe(410)
  expect((await listed(site, chief)).others!.map(({ who }) => who)).toEqual(['Aino'])
  expect((await end(site, chief, '1')).status).toBe(410)
  expect((await end(site, chief, '2')).status).toBe(200)
  expect(await isSignedIn(site, colleague)).toBe(false)
  expect(await isSignedIn(site, visitor)).toBe(true)
})

test('sessions need the scope of the desk, and their end a token of the page', async () => {
  await using site = await startSite()
  const { code } = await makeClient(site)
  const visitor = await signIn(site, code)
  expect((await sessionsOf(site, '')).status).toBe(401)
  expect((await sessionsOf(site, visitor)).status).toBe(403)
  expect((await end(site, visitor, '1')).status).toBe(403)
  const staff = await makeClient(site, { panel: 'desk', scopes: ['desk'] })
  const cookie = await signIn(site, staff.code)
  const forged = await site.post(
    '/api/desk/sessions',
    { session: 'others' },
    {
      headers: { Cookie: cookie, 'X-CSRF-TOKEN': '' },
    },
  )
  expect(forged.status).toBe(403)
  for (const odd of ['', '0', '-1', '1e3', 'all', '9'.repeat(30), 1, null, ['1']]) {
    expect((await end(site, cookie, odd)).status).toBe(400)
  }
})

test('signing out everywhere ends every session of the code, and no other', async () => {
  await using site = await startSite()
  const { code, client } = await makeClient(site)
  const other = await makeClient(site, { panel: 'other' })
  const kept = await signIn(site, other.code)
  const cookies = [await signIn(site, code), await signIn(site, code)]
  const reply = await site.post('/api/logout?everywhere', '', {
    headers: { Cookie: cookies[0]!, 'Content-Type': 'application/x-www-form-urlencoded' },
  })
  expect(reply.status).toBe(303)
  for (const cookie of cookies) expect(await isSignedIn(site, cookie)).toBe(false)
  expect(await isSignedIn(site, kept)).toBe(true)
  const [last] = site.context.features.clients.activity(client.id, 1)
  expect(last).toMatchObject({ detail: 'Signed out everywhere' })
})

test('signing out everywhere without a session ends nothing', async () => {
  await using site = await startSite()
  const { code } = await makeClient(site)
  const cookie = await signIn(site, code)
  for (const Cookie of ['', `client=${'a'.repeat(43)}`]) {
    const reply = await site.post('/api/logout?everywhere', '', { headers: { Cookie } })
    expect(reply.status).toBe(200)
  }
  expect(await isSignedIn(site, cookie)).toBe(true)
})

test('who it is in timelines: the name that was given, else the label of the code, else its client', async () => {
  await using site = await startSite()
  const labelled = await makeClient(site, { name: 'Staff', label: 'Aino', scopes: ['desk'] })
  const plain = await makeClient(site, { name: 'Pit Wall', panel: 'pit', scopes: ['desk'] })
  const whoOf = async (secretCode: string, name?: string) => {
    const { headers } = await site.post('/api/authenticate-client', { secretCode, name })
    const cookie = headers['set-cookie']![0]!.split(';')[0]!
    return (await listed(site, cookie)).own.find(({ isThis }) => isThis)!.who
  }
  expect(await whoOf(labelled.code)).toBe('Aino')
  expect(await whoOf(labelled.code, 'Mika')).toBe('Mika')
  expect(await whoOf(plain.code)).toBe('Pit Wall')
})
