import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { dayMs } from '#shared/dates/durations.ts'
import { fingerprintOf, readSecret } from '#server/secrets/key-files.ts'
import { bareEnvironment } from '../support/bare-environment.ts'
import { emptyDirectory } from '../support/backups.ts'
import { makeClient, signIn, tryCode } from '../support/clients.ts'
import { eventually } from '../support/eventually.ts'
import { runOn } from '../support/in-process-cli.ts'
import { runCli } from '../support/run-cli.ts'
import { createClock, startSite, type Site } from '../support/site.ts'

const [first, second] = ['1'.repeat(32), '2'.repeat(32)]

let dataDir: string
beforeEach(() => void (dataDir = emptyDirectory()))
afterEach(() => rmSync(dataDir, { recursive: true }))

const start = async (env: Record<string, string> = {}, clock = createClock()) => {
  const site = await startSite({ env, dataDir, clock, sending: false })
  site.context.features.keys.start?.()
  return site
}

type Key = { fingerprint: string; source: string; state: string; endsAt: string | null }
type Kind = { kind: string; what: string; revokedAt: string | null }

const show = async (site: Site) =>
  JSON.parse(await runOn(site, 'keys', 'show', '--json')) as { keys: Key[]; kinds: Kind[] }

/** Something of each kind that rests on the keys, and whether it still works. */
async function issue(site: Site) {
  const { context } = site
  const { code } = await makeClient(site)
  const Cookie = await signIn(site, code)
  const confirmation = context.features.newsletter.confirmationTokens.issue(
    { secret: 'a'.repeat(22), round: 1 },
    site.clock(),
  )
  return {
    signedIn: async () =>
      (await site.get('/api/session', { headers: { Cookie } })).json?.signedIn === true,
    code: async () => (await tryCode(site, code)).status === 200,
    link: orderLink(site),
    confirmation: () => context.features.newsletter.confirmationTokens.read(confirmation) !== null,
  }
}

/** What signs links to orders, and whether such a link is still ours. */
function orderLink({ context: { keys } }: Site): () => boolean {
  const hash = keys.hash('token:order', 'x')
  return () => keys.matches('token:order', 'x', hash)
}

test('keys are shown by fingerprint, with what relies on them, and never themselves', async () => {
  await using site = await start({ SECRET_KEY: first, SECRET_KEY_OLD: second })
  const shown = await show(site)
  expect(shown.keys).toMatchObject([
    { source: 'SECRET_KEY', state: 'current', since: '2026-11-20T14:00:00.000+02:00' },
    { source: 'SECRET_KEY_OLD', state: 'earlier', endsAt: null },
  ])
  const kinds = shown.kinds.map(({ kind }) => kind)
  expect(kinds).toEqual(
    expect.arrayContaining(['sessions', 'codes', 'links', 'previews', 'newsletter']),
  )
  const told = (await runOn(site, 'keys', 'show')) + (await runOn(site, 'keys', 'show', '--json'))
  expect(told).not.toContain(first)
  expect(told).not.toContain(second)

  const file = join(dataDir, 'given')
  await runOn(site, 'keys', 'show', '--secret-to', file)
  expect(readFileSync(file, 'utf8')).toBe(`${first}\n${second}\n`)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  await expect(runOn(site, 'keys', 'show', '--secret-to', file)).rejects.toThrow('EEXIST')
})

test('a copy of the key that the disk doesn’t take isn’t left there, empty', async () => {
  await using _ = await start()
  const file = join(dataDir, 'copy')
  const main = join(import.meta.dirname, '../../cli/main.ts')
  // No file takes a byte; nothing else is written before it.
  const limited = `trap '' XFSZ; ulimit -f 0; exec "$0" "$@"`
  const copy = ['keys', 'show', '--secret-to', file]
  const env = { ...bareEnvironment, DATA_DIR: dataDir }
  const options = { env, encoding: 'utf8' } as const
  const { status, stderr } = spawnSync(
    'sh',
    ['-c', limited, process.execPath, main, ...copy],
    options,
  )
  expect([status, stderr]).toEqual([1, expect.stringContaining('EFBIG')])
  expect(existsSync(file)).toBe(false)
})

test('a rotated key signs at once, and the one before counts until it is revoked', async () => {
  await using site = await start()
  const issued = await issue(site)
  const old = readSecret(dataDir)!
  expect((await runCli(['keys', 'rotate'], { dataDir, env: { SITE_URL: site.url } })).code).toBe(0)
  expect(readSecret(dataDir)).not.toBe(old)
  expect(statSync(join(dataDir, 'secret-key')).mode & 0o777).toBe(0o600)
  expect(statSync(join(dataDir, 'secret-key.old')).mode & 0o777).toBe(0o600)
  const newest = (await show(site)).keys[0]!
  expect((await show(site)).keys.map(({ state }) => state)).toEqual(['current', 'earlier'])
  // The running server signs with the new one, too.
  const { keys } = site.context
  const under = () => keys.hashes('test', 'x')
  await eventually(() => expect(under()).toHaveLength(2))
  expect(await issued.signedIn()).toBe(true)
  expect(issued.link()).toBe(true)

  const asked = await runOn(site, 'keys', 'revoke')
  expect(asked).toContain('Dry run: nothing changed. Add --yes to revoke for good.')
  expect(existsSync(join(dataDir, 'secret-key.old'))).toBe(true)
  const done = await runCli(['keys', 'revoke', '--yes'], { dataDir, env: { SITE_URL: site.url } })
  expect([done.code, done.err]).toEqual([0, ''])
  await eventually(() => expect(under()).toHaveLength(1))
  expect(await issued.signedIn()).toBe(false)
  expect(issued.link()).toBe(false)
  expect(await issued.code()).toBe(false)
  expect(existsSync(join(dataDir, 'secret-key.old'))).toBe(false)
  expect((await show(site)).keys).toMatchObject([{ fingerprint: newest.fingerprint }])

  // It does not come back with its file.
  writeFileSync(join(dataDir, 'secret-key.old'), `${old}\n`)
  expect((await show(site)).keys[1]).toMatchObject({ state: 'revoked' })
})

test('after a stolen key everything can be done beside the running server, and its next start warns of nothing', async () => {
  const site = await start()
  const { code } = await makeClient(site)
  const serve = ({ context }: Site) =>
    context.recordServer({ origin: context.config.siteUrl, configured: true })
  await serve(site)
  const run = (...args: string[]) => runCli(args, { dataDir, env: { SITE_URL: site.url } })
  expect(await run('keys', 'rotate')).toMatchObject({ code: 0, err: '' })
  expect(await run('codes', 'create', '1')).toMatchObject({ code: 0, err: '' })
  expect(await run('keys', 'revoke', '--yes')).toMatchObject({ code: 0, err: '' })
  await eventually(async () => expect((await tryCode(site, code)).status).toBe(401))
  const renewed = await run('codes', 'rotate', '1', '--json')
  expect(renewed).toMatchObject({ code: 0, err: '' })
  const { code: replacement } = JSON.parse(renewed.out) as { code: string }
  expect((await tryCode(site, replacement)).status).toBe(200)
  await site[Symbol.asyncDispose]()

  await using again = await start()
  await serve(again)
  expect((await again.get('/api/health')).json).toMatchObject({ status: 'ok', warnings: [] })
})

/** Ends a process at once, as soon as a file of that name has been put into place as often. */
const killAfter = (name: string, times: number) => `
  import fs from 'node:fs'
  import { syncBuiltinESMExports } from 'node:module'
  const { renameSync } = fs
  let left = ${times}
  fs.renameSync = (from, to) => {
    renameSync(from, to)
    if (to.endsWith('/${name}') && --left === 0) process.kill(process.pid, 'SIGKILL')
  }
  syncBuiltinESMExports()`

test.each([
  ['before its key is written', 'keys.json', 1, 0],
  ['before keys.json says that it signs', 'secret-key', 1, 1],
  ['before the database knows of the key', 'keys.json', 2, 1],
  ['before keys.json says that the database does', 'keys.json', 3, 1],
])('a rotation that is killed %s is finished by the next command', async (_, name, times, made) => {
  const site = await start()
  await site.context.recordServer({ origin: site.context.config.siteUrl, configured: true })
  const killing = `data:text/javascript,${encodeURIComponent(killAfter(name, times))}`
  const main = join(import.meta.dirname, '../../cli/main.ts')
  const args = ['--import', killing, main, 'keys', 'rotate', '--by', 'mika']
  const env = { ...bareEnvironment, DATA_DIR: dataDir }
  expect(spawnSync(process.execPath, args, { env }).signal).toBe('SIGKILL')

  const run = (...words: string[]) => runCli(words, { dataDir, env: { SITE_URL: site.url } })
  expect(await run('clients', 'list')).toMatchObject({ code: 0, err: '' })
  const created = () =>
    site.context.timeline.of('site', 'keys').map(({ actor, act, note }) => [actor, act, note])
  const note = `key ${fingerprintOf(readSecret(dataDir)!)}`
  expect(created()).toEqual(made ? [['mika', 'created', note]] : [])
  expect(await run('keys', 'rotate')).toMatchObject({ code: 0, err: '' })
  expect(created()).toHaveLength(made + 1)
  const states = (await show(site)).keys.map(({ state }) => state)
  expect(states).toEqual(['current', 'earlier', 'earlier'].slice(0, made + 2))
  await site[Symbol.asyncDispose]()
  await using again = await start()
  await again.context.recordServer({ origin: again.context.config.siteUrl, configured: true })
  expect((await again.get('/api/health')).json).toMatchObject({ status: 'ok', warnings: [] })
  const record = JSON.parse(readFileSync(join(dataDir, 'keys.json'), 'utf8')) as object
  expect(record).not.toHaveProperty('rotations')
})

test('a new key in place of a lost one says that what was signed is void, and is then a key like any other', async () => {
  const before = await start()
  expect((await runCli(['keys', 'rotate', '--lost'], { dataDir })).err).toContain('isn’t lost')
  await before.context.recordServer({ origin: before.context.config.siteUrl, configured: true })
  await before[Symbol.asyncDispose]()
  rmSync(join(dataDir, 'secret-key'))
  const refused = await runCli(['keys', 'rotate'], { dataDir })
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('keys rotate --lost')])
  const { out: found } = await runCli(['doctor'], { dataDir })
  expect(found).toContain('fail secret key: missing in DATA_DIR')
  expect(found).not.toContain('ENOENT')
  const made = await runCli(['keys', 'rotate', '--lost'], { dataDir })
  expect([made.code, made.err]).toEqual([0, ''])
  expect(made.out).toContain('codes, sessions and links made with it no longer work')
  expect(made.out).not.toContain('still works')

  await using site = await start()
  await site.context.recordServer({ origin: site.context.config.siteUrl, configured: true })
  expect((await site.get('/api/health')).json).toMatchObject({ status: 'ok', warnings: [] })
})

test.each([
  ['sessions', { signedIn: false, code: true, link: true, confirmation: true }],
  ['codes', { signedIn: false, code: false, link: true, confirmation: true }],
  ['links', { signedIn: true, code: true, link: false, confirmation: true }],
  ['newsletter', { signedIn: true, code: true, link: true, confirmation: false }],
])('revoking %s ends what was issued of it and nothing else', async (kind, expected) => {
  await using site = await start()
  const issued = await issue(site)
  const state = async () => ({
    signedIn: await issued.signedIn(),
    code: await issued.code(),
    link: issued.link(),
    confirmation: issued.confirmation(),
  })
  await runOn(site, 'keys', 'revoke', '--kind', kind)
  expect(await state()).toEqual({ signedIn: true, code: true, link: true, confirmation: true })
  await runOn(site, 'keys', 'revoke', '--kind', kind, '--yes')
  await eventually(async () => expect(await state()).toEqual(expected))
  expect((await show(site)).kinds.find((each) => each.kind === kind)?.revokedAt).not.toBeNull()
  // What is issued from then on works.
  expect(orderLink(site)()).toBe(true)
  const again = await makeClient(site, { panel: 'again', name: 'Again' })
  expect((await tryCode(site, again.code)).status).toBe(200)
})

test('revoking all ends earlier keys and every kind, and an unknown kind is refused', async () => {
  await using site = await start({ SECRET_KEY: first, SECRET_KEY_OLD: second })
  const issued = await issue(site)
  await expect(runOn(site, 'keys', 'revoke', '--kind', 'tyres', '--yes')).rejects.toThrow(
    'Unknown kind: tyres.',
  )
  const told = await runOn(site, 'keys', 'revoke', '--all', '--yes')
  expect(told).toContain('Remove the revoked keys from SECRET_KEY_OLD.')
  await eventually(() => expect(issued.confirmation()).toBe(false))
  expect(await issued.signedIn()).toBe(false)
  const shown = await show(site)
  expect(shown.keys.map(({ state }) => state)).toEqual(['current', 'revoked'])
  expect(shown.kinds.every(({ revokedAt }) => revokedAt !== null)).toBe(true)
})

test('a key of SECRET_KEY is not rotated here', async () => {
  await using site = await start({ SECRET_KEY: first })
  await expect(runOn(site, 'keys', 'rotate')).rejects.toThrow('SECRET_KEY is set')
})

test('the key in DATA_DIR counts for 30 days once SECRET_KEY has replaced it, and doctor says so', async () => {
  const clock = createClock()
  const before = await start({}, clock)
  const old = before.context.keys.hash('test', 'x')
  await before[Symbol.asyncDispose]()
  await using site = await start({ SECRET_KEY: first }, clock)
  const counts = () => site.context.keys.matches('test', 'x', old)
  const doctor = () =>
    site.context
      .contributions()
      .doctor.find(({ check }) => check === 'keys')!
      .look()
  expect(counts()).toBe(true)
  await eventually(async () =>
    expect(await doctor()).toMatchObject({
      state: 'warn',
      text: expect.stringContaining('(secret-key) is still accepted until 2026-12-20'),
    }),
  )
  clock.advance(29 * dayMs)
  expect(counts()).toBe(true)
  await eventually(async () => {
    clock.advance(2 * dayMs)
    expect(counts()).toBe(false)
  })
  await runOn(site, 'keys', 'revoke', '--yes')
  expect(existsSync(join(dataDir, 'secret-key'))).toBe(false)
  expect((await show(site)).keys).toHaveLength(1)
})

test('a shell without the SECRET_KEY of the server changes no keys, and doctor says so', async () => {
  await using site = await start({ SECRET_KEY: first })
  const shell = { dataDir, env: { SITE_URL: site.url } }
  for (const args of [['rotate'], ['revoke', '--kind', 'links', '--yes']]) {
    const { code, err } = await runCli(['keys', ...args], shell)
    expect([code, err]).toEqual([1, expect.stringContaining('give both the same SECRET_KEY')])
  }
  expect((await runCli(['doctor'], shell)).out).toMatch(/^fail +keys: the server signs with /m)
})

test('a damaged record of what was revoked keeps the site from starting', async () => {
  const before = await start()
  await before[Symbol.asyncDispose]()
  writeFileSync(join(dataDir, 'keys.json'), '{')
  await expect(start()).rejects.toThrow('keys.json is damaged')
})

test('a record with parts of milliseconds, as an earlier version wrote it, is none', async () => {
  const before = await start()
  await before[Symbol.asyncDispose]()
  const file = join(dataDir, 'keys.json')
  const written = readFileSync(file, 'utf8')
  writeFileSync(file, written.replace(/("since":\s*\d+)/, '$1.25'))
  expect(readFileSync(file, 'utf8')).not.toBe(written)
  await using site = await start()
  expect((await site.get('/api/health')).status).toBe(200)
})
