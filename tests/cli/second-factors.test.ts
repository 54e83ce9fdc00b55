import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { makeClient, signIn, tryCode } from '../support/clients.ts'
import { bareEnvironment } from '../support/bare-environment.ts'
import { runCli, type CliResult } from '../support/run-cli.ts'
import {
  challengeOf,
  makeGuarded,
  numberAt,
  tryNumber,
  wrongNumber,
} from '../support/second-factor.ts'
import { createClock, startSite, type Site } from '../support/site.ts'

let site: Site

beforeEach(async () => {
  site = await startSite({ clock: createClock(Date.now()) })
  return () => site[Symbol.asyncDispose]()
})

const codes = (...args: string[]) => runCli(['codes', ...args], site)

/** Runs a command with a text as its input, as a pipe gives it. */
function withInput(
  input: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<CliResult> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [join(import.meta.dirname, '../../cli/main.ts'), 'codes', ...args],
      { env: { ...bareEnvironment, DATA_DIR: site.dataDir, ...env } },
      (error, out, err) => resolve({ code: error ? Number(error.code) : 0, out, err }),
    )
    child.stdin?.end(input)
  })
}

const guarded = () => makeClient(site, { name: 'Staff', label: 'Aino', scopes: ['desk'] })

/** Sets up the second factor of code 1. */
async function setUp() {
  const { out } = await withInput('', ['totp', 'Aino'])
  const secret = /Secret: ([A-Z2-7]{32})\./.exec(out)![1]!
  return { out, secret, number: () => numberAt(secret, Date.now()) }
}

test('codes totp shows a QR code and an address, and is off until its first number was given', async () => {
  const { code } = await guarded()
  const { out, secret } = await setUp()
  const host = new URL(site.url).host
  expect(out).toContain('█')
  expect(out).toContain(
    `otpauth://totp/${encodeURIComponent(host)}:Aino?issuer=${encodeURIComponent(host)}&secret=${secret}`,
  )
  expect(out).toContain('Not on yet.')
  expect((await tryCode(site, code)).status).toBe(200)
})

test('codes totp takes the number from the input, and prints recovery codes once', async () => {
  const { code } = await guarded()
  const session = await signIn(site, code)
  const { secret, number } = await setUp()
  const wrong = await withInput(`${wrongNumber(secret, Date.now())}\n`, ['totp', '1', '--confirm'])
  expect([wrong.code, wrong.out]).toEqual([1, ''])
  expect(wrong.err).toContain('Wrong number.')
  expect((await codes('list', '--json', 'code,totp')).out).toContain('"off"')

  const done = await withInput(`${number()}\n`, ['totp', '1', '--confirm', '--by', 'mika'])
  expect([done.code, done.err]).toEqual([0, ''])
  const recovery = done.out.match(/\d{4}-\d{4}-\d{4}-\d{4}/g)!
  expect(new Set(recovery).size).toBe(10)
  expect(done.out).toContain('Its sessions have ended.')
  const { json } = await site.get('/api/session', { headers: { Cookie: session } })
  expect(json?.signedIn).toBe(false)
  expect((await tryNumber(site, await challengeOf(site, code), recovery[0])).status).toBe(200)
  const list = await codes('list', '--json')
  expect(JSON.parse(list.out)).toMatchObject([{ code: 1, totp: 'on' }])
  for (const hidden of [secret, recovery[1]!]) expect(list.out).not.toContain(hidden)
})

test('codes totp off lets the code sign in alone again', async () => {
  const { code } = await makeGuarded(site)
  expect((await codes('totp', 'off', 'Aino', '--by', 'mika')).out).toBe(
    'Code 1: second factor off. Its sessions have ended.\n',
  )
  expect((await tryCode(site, code)).status).toBe(200)
  const again = await codes('totp', 'off', 'Aino')
  expect([again.code, again.err]).toEqual([1, expect.stringContaining('has no second factor')])
})

test('codes totp refuses codes of clients and revoked ones, and a number that nothing waits for', async () => {
  await makeClient(site)
  const refused = await codes('totp', '1')
  expect([refused.code, refused.out]).toEqual([1, ''])
  expect(refused.err).toContain('Only staff codes can have a second factor')
  await makeClient(site, { panel: 'staff', label: 'Aino', scopes: ['ops'] })
  const early = await withInput('123456\n', ['totp', '2', '--confirm'])
  expect([early.code, early.err]).toEqual([1, expect.stringContaining('Run codes totp 2 first.')])
  await codes('revoke', '2')
  expect((await codes('totp', '2')).err).toContain('is revoked')
})

test('codes sessions lists who is signed in, and codes end-sessions ends them', async () => {
  const { code } = await guarded()
  const other = await makeClient(site, { name: 'Press', panel: 'press', scopes: ['links'] })
  const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
  const cookies = [
    await signIn(site, code, { headers: { 'User-Agent': agent } }),
    await signIn(site, code),
    await signIn(site, other.code),
  ]
  const isSignedIn = async (index: number) =>
    (await site.get('/api/session', { headers: { Cookie: cookies[index]! } })).json?.signedIn
  const list = JSON.parse((await codes('sessions', '--json')).out) as object[]
  expect(list).toHaveLength(3)
  expect(list[2]).toMatchObject({
    session: 1,
    code: 1,
    label: 'Aino',
    who: null,
    scopes: 'desk',
    network: '127.0.0.0',
    browser: 'Firefox on Linux',
  })
  const table = (await codes('sessions', 'Aino')).out
  expect(table).toContain('Firefox on Linux')
  expect(table).not.toContain('Press')
  for (const cookie of cookies) expect(table).not.toContain(cookie.slice('client='.length))

  expect((await codes('end-sessions', '1', '--by', 'mika')).out).toBe('1: ended\n')
  expect([await isSignedIn(0), await isSignedIn(1)]).toEqual([false, true])
  const gone = await codes('end-sessions', '2', '1')
  expect([gone.code, gone.err]).toEqual([1, expect.stringContaining('Session 1 isn’t open')])
  expect(await isSignedIn(1)).toBe(true)
  expect((await codes('end-sessions', '--code', 'Aino')).out).toBe('Code 1: 1 session ended\n')
  expect([await isSignedIn(1), await isSignedIn(2)]).toEqual([false, true])
  for (const wrong of [['end-sessions'], ['end-sessions', '3', '--code', 'Press']]) {
    expect((await codes(...wrong)).code).toBe(2)
  }
})

test('who did it is the person of --by, else PITLANE_BY, else the login', async () => {
  await guarded()
  const run = (args: string[], env: Record<string, string>) => withInput('', args, env)
  const extend = ['extend', '1', '--expires', '30d']
  const silent = await run(extend, { PITLANE_BY: '  Noora Salo ' })
  expect([silent.code, silent.err]).toEqual([0, ''])
  await run([...extend, '--by', 'Aino'], { PITLANE_BY: 'Noora' })
  await run(extend, { PITLANE_BY: '  ' })
  for (const by of ['', '  ', 'x'.repeat(61)]) {
    expect((await run([...extend, '--by', by], {})).code).toBe(2)
  }
  const actors = site.context.timeline.of('client', '1').map(({ actor }) => actor)
  expect(actors).toEqual(['Noora Salo', 'Aino', expect.any(String)])
  expect(actors[2]!.trim()).not.toBe('')
})
