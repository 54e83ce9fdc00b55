import { expect, test } from 'vitest'
import { makeClient, signIn, tryCode } from '../../support/clients.ts'
import {
  addFactor,
  challengeOf,
  codeWith,
  makeGuarded,
  numberAt,
  tryNumber,
  wrongNumber,
} from '../../support/second-factor.ts'
import { filesWith } from '../../support/raw-state.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { startSite, type Site } from '../../support/site.ts'

const isSignedIn = async (site: Site, cookie: string) =>
  (await site.get('/api/session', { headers: { Cookie: cookie } })).json?.signedIn

const cookieOf = ({ headers }: { headers: { 'set-cookie'?: string[] } }) =>
  (headers['set-cookie'] ?? []).find((each) => /client=./.test(each))!.split(';')[0]!

test('a right code with a second factor opens nothing until its number is given', async () => {
  await using site = await startSite()
  const { code, codeId, secret } = await makeGuarded(site)
  const asked = await tryCode(site, code)
  expect(asked.status).toBe(401)
  expect(asked.json).toEqual({
    success: false,
    code: 'totp',
    message: 'Enter the number from your authenticator app.',
    challenge: expect.stringMatching(/^[\w-]{50,}$/),
  })
  expect(asked.headers['set-cookie']).toBeUndefined()
  expect(asked.text).not.toContain(code)
  expect(codeWith(site, codeId)).toMatchObject({ uses: 0, lastUsedAt: null })

  const done = await tryNumber(site, asked.json!.challenge, numberAt(secret, site.clock()))
  expect(done.status).toBe(200)
  expect(done.json).toEqual({
    success: true,
    message: 'Authentication successful',
    data: {
      name: 'Staff',
      panel: 'staff',
      scopes: ['view', 'desk'],
      expiresAt: new Date(site.clock() + 30 * 86_400_000).toISOString(),
    },
  })
  expect(await isSignedIn(site, cookieOf(done))).toBe(true)
  expect(codeWith(site, codeId)).toMatchObject({ uses: 1, lastUsedAt: site.clock() })
})

test('the reply to codes without a second factor stays as it is', async () => {
  await using site = await startSite()
  await makeGuarded(site)
  const { code } = await makeClient(site)
  expect((await tryCode(site, code)).status).toBe(200)
  expect((await tryCode(site, 'NOBODY-HAS1')).json).toEqual({
    success: false,
    code: 'signed-out',
    message: 'Invalid secret code. Please try again.',
  })
})

test.each([
  [-90, false],
  [-30, true],
  [0, true],
  [30, true],
  [90, false],
])('a number of the app whose clock is off by %i seconds: %j', async (seconds, isTaken) => {
  await using site = await startSite()
  const { code, secret } = await makeGuarded(site)
  site.clock.advance(300_000)
  const number = numberAt(secret, site.clock() + seconds * 1000)
  const reply = await tryNumber(site, await challengeOf(site, code), number)
  expect(reply.status).toBe(isTaken ? 200 : 401)
})

test('a number may be typed with spaces and in full-width digits', async () => {
  await using site = await startSite()
  const { code, secret } = await makeGuarded(site)
  const number = numberAt(secret, site.clock())
  const typed = ` ${number.slice(0, 3)} ${number.slice(3).replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))} `
  expect((await tryNumber(site, await challengeOf(site, code), typed)).status).toBe(200)
})

test('a wrong number is said, and the same challenge takes the right one', async () => {
  await using site = await startSite()
  const { code, secret } = await makeGuarded(site)
  const challenge = await challengeOf(site, code)
  const wrong = await tryNumber(site, challenge, wrongNumber(secret, site.clock()))
  expect(wrong.status).toBe(401)
  expect(wrong.json).toEqual({
    success: false,
    code: 'totp',
    message: 'Wrong number. Try the one your app shows now.',
    challenge,
  })
  expect((await tryNumber(site, challenge, numberAt(secret, site.clock()))).status).toBe(200)
})

test('nothing typed is said without counting as a wrong number', async () => {
  await using site = await startSite()
  const { code, secret } = await makeGuarded(site)
  const challenge = await challengeOf(site, code)
  for (let count = 0; count < 10; count += 1) {
    const { status, json } = await tryNumber(site, challenge, ' ')
    expect([status, json?.code]).toEqual([400, 'invalid'])
  }
  expect((await tryNumber(site, challenge, numberAt(secret, site.clock()))).status).toBe(200)
})

test('each of ten recovery codes opens once in place of a number, and says how many are left', async () => {
  await using site = await startSite()
  const { code, client, recovery } = await makeGuarded(site)
  expect(new Set(recovery).size).toBe(10)
  const [first] = recovery
  const typed = first!.replaceAll('-', ' ')
  expect((await tryNumber(site, await challengeOf(site, code), typed)).status).toBe(200)
  expect((await tryNumber(site, await challengeOf(site, code), typed)).status).toBe(401)
  expect((await tryNumber(site, await challengeOf(site, code), recovery[9])).status).toBe(200)
  const details = site.context.features.clients.activity(client.id, 5).map(({ detail }) => detail)
  expect(details).toEqual([
    'Signed in with “Aino” and a recovery code; 8 are left',
    'Signed in with “Aino” and a recovery code; 9 are left',
  ])
})

test('a code that may be used once is used with its number, not before', async () => {
  await using site = await startSite()
  const { code, secret } = await makeGuarded(site, { maxUses: 1 })
  await challengeOf(site, code)
  const challenge = await challengeOf(site, code)
  const late = await challengeOf(site, code)
  expect((await tryNumber(site, challenge, numberAt(secret, site.clock()))).status).toBe(200)
  site.clock.advance(60_000)
  expect((await tryNumber(site, late, numberAt(secret, site.clock()))).status).toBe(401)
  expect((await tryCode(site, code)).json?.code).toBe('signed-out')
})

test('a code that is revoked between code and number opens nothing', async () => {
  await using site = await startSite()
  const { code, codeId, secret } = await makeGuarded(site)
  const challenge = await challengeOf(site, code)
  await site.context.commit((tx) => site.context.features.clients.codes.revoke(tx, codeId))
  const reply = await tryNumber(site, challenge, numberAt(secret, site.clock()))
  expect(reply.status).toBe(401)
  expect(reply.headers['set-cookie']).toBeUndefined()
})

test('adding, changing and removing a second factor each end the sessions of that code alone', async () => {
  await using site = await startSite()
  const { code, codeId } = await makeClient(site, { scopes: ['desk'] })
  const other = await makeClient(site, { panel: 'other', scopes: ['desk'] })
  const kept = await signIn(site, other.code)
  const before = await signIn(site, code)
  const first = await addFactor(site, codeId)
  expect(await isSignedIn(site, before)).toBe(false)

  const enter = async (secret: string) => {
    const challenge = await challengeOf(site, code)
    return cookieOf(await tryNumber(site, challenge, numberAt(secret, site.clock())))
  }
  const second = await enter(first.secret)
  const open = await challengeOf(site, code)
  const changed = await addFactor(site, codeId)
  expect(await isSignedIn(site, second)).toBe(false)
  expect((await tryNumber(site, open, numberAt(changed.secret, site.clock()))).status).toBe(401)
  expect((await tryNumber(site, await challengeOf(site, code), first.recovery[0])).status).toBe(401)

  const third = await enter(changed.secret)
  await site.context.features.clients.factorActs.remove(codeWith(site, codeId), 'mika')
  expect(await isSignedIn(site, third)).toBe(false)
  expect((await tryCode(site, code)).status).toBe(200)
  expect(await isSignedIn(site, kept)).toBe(true)
  const acts = site.context.timeline
    .of('client', String(codeWith(site, codeId).clientId))
    .map(({ actor, act }) => `${actor}: ${act}`)
  expect(acts).toEqual([
    'mika: second factor added',
    'mika: second factor changed',
    'mika: second factor removed',
  ])
})

test('a new secret asks for nothing before its first number was right', async () => {
  await using site = await startSite()
  const { code, codeId } = await makeClient(site, { scopes: ['ops'] })
  const { factorActs } = site.context.features.clients
  const { secret } = await factorActs.begin(codeWith(site, codeId))
  const wrong = wrongNumber(secret, site.clock())
  await expect(factorActs.confirm(codeWith(site, codeId), wrong, 'mika')).rejects.toMatchObject({
    failure: 'invalid',
  })
  expect((await tryCode(site, code)).status).toBe(200)
  site.clock.advance(3_600_000)
  const late = numberAt(secret, site.clock())
  await expect(factorActs.confirm(codeWith(site, codeId), late, 'mika')).rejects.toMatchObject({
    failure: 'wrong-state',
  })
})

test('codes that open nothing of staff have no second factor', async () => {
  await using site = await startSite()
  const { codeId } = await makeClient(site)
  expect(() => site.context.features.clients.factorActs.begin(codeWith(site, codeId))).toThrow(
    'Only staff codes',
  )
})

test('a code that replaces another keeps its second factor and recovery codes', async () => {
  await using site = await startSite()
  const { codeId, secret, recovery } = await makeGuarded(site)
  const made = await site.context.features.clients.acts.rotateCode(codeWith(site, codeId), 'mika')
  const number = numberAt(secret, site.clock())
  expect((await tryNumber(site, await challengeOf(site, made.code), number)).status).toBe(200)
  const again = await challengeOf(site, made.code)
  expect((await tryNumber(site, again, recovery[0])).status).toBe(200)
})

test('a new key locks nobody out, and neither does the end of the old one', async () => {
  await using site = await startSite()
  const { code, secret, recovery } = await makeGuarded(site)
  await runOn(site, 'keys', 'rotate')
  await using between = await startSite({ dataDir: site.dataDir, clock: site.clock })
  const number = numberAt(secret, between.clock())
  expect((await tryNumber(between, await challengeOf(between, code), number)).status).toBe(200)
  await runOn(between, 'keys', 'rotate')
  // The code itself has to be known under the newest key, which using it does.
  await using used = await startSite({ dataDir: site.dataDir, clock: site.clock })
  await challengeOf(used, code)
  await runOn(used, 'keys', 'revoke', '--yes')
  await using after = await startSite({ dataDir: site.dataDir, clock: site.clock })
  after.clock.advance(60_000)
  const next = numberAt(secret, after.clock())
  expect((await tryNumber(after, await challengeOf(after, code), next)).status).toBe(200)
  expect((await tryNumber(after, await challengeOf(after, code), recovery[3])).status).toBe(200)
})

test('neither secret, recovery codes, numbers nor challenges are in the database or the log', async () => {
  await using site = await startSite()
  const { code, secret, recovery } = await makeGuarded(site)
  const number = numberAt(secret, site.clock())
  const challenge = await challengeOf(site, code)
  await tryNumber(site, challenge, wrongNumber(secret, site.clock()))
  expect((await tryNumber(site, challenge, number)).status).toBe(200)
  for (const hidden of [secret, recovery[0]!, recovery[0]!.replaceAll('-', ''), challenge]) {
    expect(filesWith(site.dataDir, hidden)).toEqual([])
  }
})
