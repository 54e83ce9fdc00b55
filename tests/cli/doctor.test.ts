import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { contentFiles } from '../support/content-files.ts'
import { startDirectus } from '../support/directus-double.ts'
import { runCli } from '../support/run-cli.ts'
import { startSite } from '../support/site.ts'

type Finding = { check: string; state: string; text: string }

/** What the doctor finds under some variables, by the name of the check. */
async function findings(env: Record<string, string>): Promise<Record<string, Finding>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'pitlane-cli-'))
  const { out } = await runCli(['doctor', '--json'], { dataDir, env })
  return Object.fromEntries((JSON.parse(out) as Finding[]).map((one) => [one.check, one]))
}

const configuration = async (env: Record<string, string>) => (await findings(env)).configuration

test.each([
  ['LOG_LEVEL', 'loud', 'must be trace, debug, info, warn, error, fatal or silent'],
  ['PORT', '70000', 'must be a port number, 0 to 65535'],
  ['PORT', 'http', 'must be a port number, 0 to 65535'],
])('%s=%s is refused with what it may be', async (name, value, sentence) => {
  expect(await configuration({ [name]: value })).toMatchObject({
    state: 'fail',
    text: `The configuration has 1 problem:\n- ${name} ${sentence}.`,
  })
})

test('an SMTP address without a host is refused, one with a host is not', async () => {
  for (const SMTP_URL of ['smtp://', 'smtps:///', 'smtp:mail.example.com', 'smtp://user:secret@']) {
    const { state, text } = (await configuration({ SMTP_URL }))!
    expect([SMTP_URL, state]).toEqual([SMTP_URL, 'fail'])
    expect(text).toContain('SMTP_URL must be an smtp:// or smtps:// address with a host, such as')
    expect(text).not.toContain('secret')
  }
  const SMTP_URL = 'smtp://user:secret@127.0.0.1:1'
  expect(await configuration({ SMTP_URL })).toMatchObject({ state: 'ok' })
})

test('no proxies in front may be said as 0', async () => {
  expect(await configuration({ TRUST_PROXY: '0' })).toMatchObject({ state: 'ok' })
  expect(await configuration({ TRUST_PROXY: 'true' })).toMatchObject({ state: 'fail' })
  expect(readConfig({ TRUST_PROXY: '0' }).trustProxy).toBe(false)
})

test('a content directory that is not there is refused, unless a Directus is read', async () => {
  const CONTENT_DIR = join(tmpdir(), 'pitlane-no-content')
  expect(await configuration({ CONTENT_DIR })).toMatchObject({
    state: 'fail',
    text: `The configuration has 1 problem:\n- CONTENT_DIR: directory not found: ${CONTENT_DIR}.`,
  })
  const CONTENT_URL = 'http://127.0.0.1:1'
  expect(await configuration({ CONTENT_DIR, CONTENT_URL })).toMatchObject({ state: 'ok' })
})

test('a short secret key works, with a warning of the server and the doctor', async () => {
  const [short, long] = ['short', 'l'.repeat(32)]
  const warning = 'SECRET_KEY has fewer than 32 characters'
  expect((await findings({ SECRET_KEY: short }))['secret key']).toMatchObject({
    state: 'warn',
    text: expect.stringContaining(warning),
  })
  expect((await findings({ SECRET_KEY: long }))['secret key']).toMatchObject({ state: 'ok' })
  for (const [key, warns] of [
    [short, 1],
    [long, 0],
  ] as const) {
    await using site = await startSite({ env: { SECRET_KEY: key } })
    const warnings = site.logLines().filter((line) => line.includes(warning))
    expect(warnings).toHaveLength(warns)
  }
})

test('an empty file of a secret key is refused', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'pitlane-cli-')), 'key')
  writeFileSync(file, '\n')
  const { state, text } = (await configuration({ SECRET_KEY_FILE: file }))!
  expect([state, text]).toEqual([
    'fail',
    expect.stringContaining(`SECRET_KEY_FILE: the file ${file} is empty.`),
  ])
})

test('old content is a warning that says since when and why', async () => {
  await using directus = await startDirectus({
    collections: { services: [{ id: 1, title: 'S', url: 's' }] },
  })
  const dataDir = mkdtempSync(join(tmpdir(), 'pitlane-cli-'))
  const env = { CONTENT_URL: directus.url }
  const content = async () => {
    const { out } = await runCli(['doctor', '--json'], { dataDir, env })
    return (JSON.parse(out) as Finding[]).find(({ check }) => check === 'content')
  }
  expect(await content()).toMatchObject({ state: 'ok' })
  directus.fail({ kind: 'status', status: 503 })
  const { state, text } = (await content())!
  expect(state).toBe('warn')
  expect(text).toMatch(/^old since \d{4}-.*Z: API error: 503 Service Unavailable \(http/)
  const [, since] = /since (\S+):/.exec(text)!
  // Another look, by another process, does not make it newer.
  expect((await content())!.text).toContain(since)
  directus.heal()
  expect(await content()).toMatchObject({ state: 'ok' })
  using files = contentFiles({ 'services.json': '[{' })
  expect((await findings({ CONTENT_DIR: files.dir })).content).toMatchObject({
    state: 'warn',
    text: expect.stringContaining('services.json is broken at line 1'),
  })
})

test('log files that can’t be written are named, and when the last line was', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'pitlane-cli-'))
  const directory = join(dataDir, 'logs')
  const logFiles = async () => {
    const { out } = await runCli(['doctor', '--json'], { dataDir })
    return (JSON.parse(out) as Finding[]).find(({ check }) => check === 'log files')
  }
  expect(await logFiles()).toMatchObject({ state: 'ok', text: 'none yet' })
  writeFileSync(directory, 'in the way')
  const refused = {
    state: 'warn',
    text: expect.stringContaining(`can’t be written to ${directory}: E`),
  }
  expect(await logFiles()).toMatchObject(refused)
  rmSync(directory)
  mkdirSync(join(directory, 'pitlane.log'), { recursive: true })
  expect(await logFiles()).toMatchObject(refused)
  rmSync(directory, { recursive: true })
  mkdirSync(directory)
  const file = join(directory, 'pitlane.log')
  writeFileSync(file, '{}\n')
  const at = new Date('2026-11-20T12:00:00Z')
  utimesSync(file, at, at)
  expect(await logFiles()).toMatchObject({
    state: 'ok',
    text: 'last written 20 November 2026, 14:00 (Helsinki)',
  })
})
