import { expect, test } from 'vitest'
import { createSignedTokens } from '#server/secrets/tokens.ts'
import * as z from 'zod/mini'
import { makeClient, tryCode } from '../support/clients.ts'
import {
  challengeOf,
  codeWith,
  makeGuarded,
  numberAt,
  tryNumber,
  wrongNumber,
} from '../support/second-factor.ts'
import { startSite, type Site } from '../support/site.ts'

const statusOf = async (reply: ReturnType<typeof tryNumber>) => (await reply).status

/** The sign-in form of a browser without scripts. */
const postForm = (
  site: Site,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
) =>
  site.post('/client-zone', new URLSearchParams(fields).toString(), {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
  })

test('a number that was seen is worth nothing: each counts once, and none from before it', async () => {
  await using site = await startSite()
  const { code, secret } = await makeGuarded(site)
  const [before, now] = [-30_000, 0].map((off) => numberAt(secret, site.clock() + off))
  expect(await statusOf(tryNumber(site, await challengeOf(site, code), now))).toBe(200)
  for (const number of [now, before]) {
    expect(await statusOf(tryNumber(site, await challengeOf(site, code), number))).toBe(401)
  }
  site.clock.advance(30_000)
  const next = numberAt(secret, site.clock())
  expect(await statusOf(tryNumber(site, await challengeOf(site, code), next))).toBe(200)
})

test('the number that switched the factor on opens nothing', async () => {
  await using site = await startSite()
  const { code, codeId } = await makeClient(site, { scopes: ['desk'] })
  const { factorActs } = site.context.features.clients
  const { secret } = await factorActs.begin(codeWith(site, codeId))
  const number = numberAt(secret, site.clock())
  await factorActs.confirm(codeWith(site, codeId), number, 'mika')
  expect(await statusOf(tryNumber(site, await challengeOf(site, code), number))).toBe(401)
})

test('one number posted side by side opens one session', async () => {
  await using site = await startSite()
  const { code, secret } = await makeGuarded(site)
  const challenges = await Promise.all(Array.from({ length: 4 }, () => challengeOf(site, code)))
  const number = numberAt(secret, site.clock())
  const replies = await Promise.all(
    [...challenges, ...challenges].map((challenge) => tryNumber(site, challenge, number)),
  )
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(replies.filter(({ headers }) => headers['set-cookie'])).toHaveLength(1)
})

test('one recovery code posted side by side opens one session', async () => {
  await using site = await startSite()
  const { code, recovery } = await makeGuarded(site)
  const challenges = await Promise.all(Array.from({ length: 4 }, () => challengeOf(site, code)))
  const replies = await Promise.all(
    challenges.map((challenge) => tryNumber(site, challenge, recovery[0])),
  )
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('five wrong numbers end a challenge, and it stays so for the right one', async () => {
  await using site = await startSite()
  const { code, secret } = await makeGuarded(site)
  const challenge = await challengeOf(site, code)
  const wrong = wrongNumber(secret, site.clock())
  const codes: unknown[] = []
  for (let count = 0; count < 5; count += 1) {
    codes.push((await tryNumber(site, challenge, wrong)).json?.code)
  }
  expect(codes).toEqual(['totp', 'totp', 'totp', 'totp', 'signed-out'])
  const right = await tryNumber(site, challenge, numberAt(secret, site.clock()))
  expect([right.status, right.json?.code]).toEqual([401, 'signed-out'])
  expect(
    await statusOf(tryNumber(site, await challengeOf(site, code), numberAt(secret, site.clock()))),
  ).toBe(200)
})

test('wrong numbers and wrong codes of an address count together, whatever their challenges', async () => {
  await using site = await startSite()
  const { code, secret } = await makeGuarded(site)
  const guesser = { from: '127.0.0.66' }
  const wrong = wrongNumber(secret, site.clock())
  for (let count = 0; count < 4; count += 1) {
    expect((await tryCode(site, `GUESS-${count}`, guesser)).status).toBe(401)
    const challenge = await challengeOf(site, code, guesser)
    expect(await statusOf(tryNumber(site, challenge, wrong, guesser))).toBe(401)
  }
  expect((await tryCode(site, code, guesser)).status).toBe(429)
  const own = await challengeOf(site, code)
  const waiting = await tryNumber(site, own, numberAt(secret, site.clock()), guesser)
  expect(waiting.status).toBe(429)
  expect(waiting.headers['retry-after']).toBe('2')
  // The owner of the code, from another address, does not wait.
  expect(await statusOf(tryNumber(site, own, numberAt(secret, site.clock())))).toBe(200)
})

test('guessing over many challenges and addresses has to wait, while a recovery code opens', async () => {
  await using site = await startSite()
  const { code, codeId, secret, recovery } = await makeGuarded(site)
  const wrong = wrongNumber(secret, site.clock())
  const statuses: number[] = []
  for (let host = 1; host <= 15; host += 1) {
    const from = { from: `127.0.3.${host}` }
    statuses.push(await statusOf(tryNumber(site, await challengeOf(site, code, from), wrong, from)))
  }
  expect(statuses).toEqual([...Array<number>(10).fill(401), ...Array<number>(5).fill(429)])
  const owner = await challengeOf(site, code)
  const paused = await tryNumber(site, owner, numberAt(secret, site.clock()))
  expect(paused.json?.message).toBe(
    'Too many wrong numbers. Please wait 2 seconds, or use a recovery code.',
  )
  const { doctor } = site.context.features.clients
  const found = await doctor!.find(({ check }) => check === 'second factors')!.look()
  expect(found).toMatchObject({ state: 'warn', text: expect.stringContaining(`code ${codeId}`) })
  expect(await statusOf(tryNumber(site, owner, recovery[0]))).toBe(200)
  // The right one forgets what was guessed.
  const next = await challengeOf(site, code)
  expect(await statusOf(tryNumber(site, next, numberAt(secret, site.clock())))).toBe(200)
})

test('a challenge of another code takes no number but that of its own', async () => {
  await using site = await startSite()
  const mine = await makeGuarded(site)
  const other = await makeGuarded(site, { panel: 'other' })
  const challenge = await challengeOf(site, other.code)
  expect(await statusOf(tryNumber(site, challenge, numberAt(mine.secret, site.clock())))).toBe(401)
  expect(await statusOf(tryNumber(site, challenge, mine.recovery[0]))).toBe(401)
})

test('forged, changed, odd and foreign tokens are no challenges', async () => {
  await using site = await startSite()
  const { code, secret } = await makeGuarded(site)
  const challenge = await challengeOf(site, code)
  const { keys, clock } = site.context
  const tokens = (purpose: string) =>
    createSignedTokens({ keys, clock, purpose, schema: z.string() })
  const id = JSON.parse(Buffer.from(challenge.slice(43), 'base64url').toString())[1] as string
  const forged = [
    tokens('preview').issue(id, null),
    tokens('sign-in-challenge').issue('not-one', null),
    challenge.slice(43),
    `${challenge.slice(0, -1)}${challenge.endsWith('A') ? 'B' : 'A'}`,
    'x'.repeat(20_000),
    '',
    null,
    42,
    { $ne: '' },
    [challenge],
  ]
  const number = numberAt(secret, site.clock())
  for (const token of forged) {
    const { status, json, headers } = await tryNumber(site, token, number)
    expect([status, json?.success, headers['set-cookie']]).toEqual([401, false, undefined])
  }
  expect(await statusOf(tryNumber(site, challenge, number))).toBe(200)
})

test.each([[null], [42], [['123456']], ['x'.repeat(20_000)], ['１２３'], ["' OR 1=1 --"]])(
  'an odd number is refused: %j',
  async (number) => {
    await using site = await startSite()
    const { code } = await makeGuarded(site)
    const { status, headers } = await tryNumber(site, await challengeOf(site, code), number)
    expect([400, 401]).toContain(status)
    expect(headers['set-cookie']).toBeUndefined()
  },
)

test('a challenge ends after five minutes, and after it has opened a session', async () => {
  await using site = await startSite()
  const { code, secret, recovery } = await makeGuarded(site)
  const [late, used] = [await challengeOf(site, code), await challengeOf(site, code)]
  expect(await statusOf(tryNumber(site, used, numberAt(secret, site.clock())))).toBe(200)
  expect(await statusOf(tryNumber(site, used, recovery[0]))).toBe(401)
  site.clock.advance(300_000)
  const reply = await tryNumber(site, late, numberAt(secret, site.clock()))
  expect(reply.json).toEqual({
    success: false,
    code: 'signed-out',
    message: 'That took too long. Please enter your secret code again.',
  })
})

test('a clock that is set back brings back neither numbers nor challenges', async () => {
  await using site = await startSite()
  const { code, secret } = await makeGuarded(site)
  const seen = numberAt(secret, site.clock())
  const open = await challengeOf(site, code)
  site.clock.advance(600_000)
  const later = numberAt(secret, site.clock())
  expect(await statusOf(tryNumber(site, await challengeOf(site, code), later))).toBe(200)
  const waiting = await challengeOf(site, code)
  site.clock.jump(site.clock() - 600_000)
  // Begun in what is now the future.
  expect(await statusOf(tryNumber(site, waiting, seen))).toBe(401)
  expect(await statusOf(tryNumber(site, open, seen))).toBe(401)
  expect(await statusOf(tryNumber(site, await challengeOf(site, code), seen))).toBe(401)
})

test('without scripts neither code, number nor challenge is in an address or a page', async () => {
  await using site = await startSite()
  const { code, secret } = await makeGuarded(site)
  const asked = await postForm(site, { secretCode: code, next: '/desk' })
  expect([asked.status, asked.headers.location]).toEqual([303, '/desk?problem=number#secret-code'])
  const [cookie] = asked.headers['set-cookie']!
  expect(cookie).toMatch(/^sign_in=[\w-]{50,}; Max-Age=300; Path=\/; .*HttpOnly; SameSite=Lax$/)
  const Cookie = cookie!.split(';')[0]!
  const page = await site.get('/desk?problem=number', { headers: { Cookie } })
  for (const hidden of [code, Cookie.slice('sign_in='.length)])
    expect(page.text).not.toContain(hidden)

  const wrong = await postForm(
    site,
    { number: wrongNumber(secret, site.clock()), next: '/desk' },
    { Cookie },
  )
  expect(wrong.headers.location).toBe('/desk?problem=wrong-number#secret-code')
  const done = await postForm(
    site,
    { number: numberAt(secret, site.clock()), next: '/desk' },
    { Cookie },
  )
  expect(done.headers.location).toBe('/desk#result')
  expect(done.headers['set-cookie']).toEqual([
    expect.stringMatching(/^client=[\w-]{43};/),
    expect.stringMatching(/^sign_in=; Max-Age=0;/),
  ])
  const again = await postForm(site, { number: numberAt(secret, site.clock()) }, { Cookie })
  expect(again.headers.location).toBe('/client-zone?problem=late#secret-code')
})

test('a number from another site is refused', async () => {
  await using site = await startSite()
  const { code, secret } = await makeGuarded(site)
  const challenge = await challengeOf(site, code)
  const headers = { Origin: 'https://elsewhere.example', 'Sec-Fetch-Site': 'cross-site' }
  const reply = await tryNumber(site, challenge, numberAt(secret, site.clock()), { headers })
  expect(reply.status).toBe(403)
})
