import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig, type ConfigError } from '#server/config.ts'
import { minuteMs } from '#shared/dates/durations.ts'
import { makeClient } from '../support/clients.ts'
import { saveEnquiry } from '../support/enquiry.ts'
import { runOn } from '../support/in-process-cli.ts'
import { runCli } from '../support/run-cli.ts'
import { createClock, startSite, type Site } from '../support/site.ts'
import { startSmtp } from '../support/smtp.ts'

function temporaryState() {
  const dataDir = mkdtempSync(join(tmpdir(), 'pitlane-settings-'))
  return { dataDir, [Symbol.dispose]: () => rmSync(dataDir, { recursive: true, force: true }) }
}

const [first, second] = ['1'.repeat(32), '2'.repeat(32)]
const health = async (site: Site) =>
  (await site.get('/api/health')).json as Record<string, unknown> & { warnings: string[] }
const recorded = (site: Site) =>
  site.context.recordServer({ origin: site.context.config.siteUrl, configured: true })
const warningsOf = (env: Record<string, string>) => readConfig(env).warnings
const problemsOf = (env: Record<string, string>) => {
  try {
    readConfig(env)
    return []
  } catch (error) {
    return (error as ConfigError).problems
  }
}

test('a command with another secret key says so, makes no code, and still lists', async () => {
  using state = temporaryState()
  await using site = await startSite({ ...state, env: { SECRET_KEY: first }, sending: false })
  await makeClient(site)
  await recorded(site)
  const differs = 'SECRET_KEY differs here from the settings of the server of this DATA_DIR.'
  const wrong = { ...state, env: { SECRET_KEY: second } }
  const made = await runCli(['codes', 'create', '1'], wrong)
  expect(made.code).toBe(1)
  expect(made.err).toContain(`This needs the server’s SECRET_KEY. ${differs}`)
  for (const noun of [
    'tickets',
    'codes',
    'clients',
    'bookings',
    'orders',
    'links',
    'jobs',
    'mail',
  ]) {
    const listed = await runCli([noun, 'list', '--json'], wrong)
    expect([noun, listed.code, listed.err.includes(differs)]).toEqual([noun, 0, true])
  }
  const right = await runCli(['codes', 'create', '1'], { ...state, env: { SECRET_KEY: first } })
  expect(right).toMatchObject({ code: 0, err: '' })
})

test.each([
  ['CONTENT_DIR', ['content', 'check']],
  ['CONTENT_DIR', ['events', 'list']],
  ['CONTENT_DIR', ['sitemap', 'build']],
  ['CONTENT_URL', ['content', 'check']],
  ['SMTP_URL', ['mail', 'retry', 'all']],
  ['SMTP_URL', ['newsletter', 'send', '--news', 'any']],
] as const)('with another %s, %j is refused with its name', async (name, args) => {
  using state = temporaryState()
  await using site = await startSite({ ...state, sending: false })
  await recorded(site)
  const values = {
    CONTENT_DIR: state.dataDir,
    CONTENT_URL: 'http://127.0.0.1:1',
    SMTP_URL: 'smtp://127.0.0.1:1',
  }
  const { code, err } = await runCli(args, { ...state, env: { [name]: values[name] } })
  expect(code).toBe(1)
  expect(err).toContain(`${name} differs here from the settings of the server of this DATA_DIR.`)
  const same = await runCli(['events', 'list', '--json'], state)
  expect(same).toMatchObject({ code: 0, err: '' })
})

test('no fingerprint is a setting, and the password of the mail server is in none', async () => {
  await using site = await startSite({ sending: false })
  const { db, config, keys } = site.context
  await recorded(site)
  const rows = JSON.stringify(db.prepare('SELECT * FROM server_settings').all())
  expect(rows).not.toContain(config.contentDir)
  const { createServerSettings } = await import('#server/state/server-settings.ts')
  const settings = createServerSettings(db)
  const mail = (smtpUrl: string) => ({ ...config, mail: { ...config.mail, smtpUrl } })
  await settings.record(mail('smtp://user:one@mail.example.com'), keys)
  expect(settings.differences(mail('smtp://user:two@mail.example.com'))).toEqual([])
  expect(settings.differences(mail('smtp://user:two@mail.example.org'))).toEqual(['SMTP_URL'])
})

test('a server whose secret key is lost does not start, and a command makes no new one', async () => {
  using state = temporaryState()
  const before = await startSite({ ...state, sending: false })
  await makeClient(before)
  await recorded(before)
  await before[Symbol.asyncDispose]()
  const file = join(state.dataDir, 'secret-key')
  const kept = join(state.dataDir, 'kept')
  copyFileSync(file, kept)
  rmSync(file)
  await expect(startSite({ ...state, sending: false })).rejects.toThrow(
    'The secret key of this site is missing',
  )
  const listed = await runCli(['clients', 'list', '--json'], state)
  expect(listed.code).toBe(0)
  expect(listed.err).toContain('Copy it back')
  expect((await runCli(['codes', 'create', '1'], state)).code).toBe(1)
  writeFileSync(file, '\n')
  await expect(startSite({ ...state, sending: false })).rejects.toThrow('is empty')
  copyFileSync(kept, file)
  await using after = await startSite({ ...state, sending: false })
  expect((await health(after)).status).toBe('ok')
})

test('another SECRET_KEY without the old one is said by the server', async () => {
  using state = temporaryState()
  const before = await startSite({ ...state, env: { SECRET_KEY: first }, sending: false })
  await recorded(before)
  await before[Symbol.asyncDispose]()
  const env = { SECRET_KEY: second }
  const kept = await startSite({
    ...state,
    env: { ...env, SECRET_KEY_OLD: first },
    sending: false,
  })
  await recorded(kept)
  expect((await health(kept)).warnings).toEqual([])
  await kept[Symbol.asyncDispose]()
  await using site = await startSite({
    ...state,
    env: { SECRET_KEY: '3'.repeat(32) },
    sending: false,
  })
  await recorded(site)
  expect((await health(site)).warnings).toEqual([expect.stringContaining('SECRET_KEY has changed')])
})

test('a mistyped variable is a warning that names the right one', async () => {
  expect(warningsOf({ SITE_ULR: 'https://www.example.com' })).toEqual([
    'SITE_ULR isn’t a setting; did you mean SITE_URL?',
  ])
  expect(warningsOf({ SMTP_URL_FLIE: '/x', STRIPE_KEY: 'x', DATADIR: 'x' })).toEqual([
    'SMTP_URL_FLIE isn’t a setting; did you mean SMTP_URL_FILE?',
    'STRIPE_KEY isn’t a setting: it changes nothing.',
    'DATADIR isn’t a setting; did you mean DATA_DIR?',
  ])
  // As Notepad begins a file.
  expect(warningsOf({ '\uFEFFPORT': '8080' })).toEqual([
    'PORT isn’t read: .env begins with an invisible mark (BOM) before it. Save the file as UTF-8 without BOM.',
  ])
  // What shells, npm and service managers set is none of ours.
  const others = ['PATH', 'HOME', 'HOSTNAME', 'SHELL', 'MAIL', 'LOGNAME', 'TERM', 'LANG', 'USER']
  expect(warningsOf(Object.fromEntries(others.map((name) => [name, 'x'])))).toEqual([])
  await using site = await startSite({ env: { LOG_LEVLE: 'debug' }, sending: false })
  await recorded(site)
  const text = 'LOG_LEVLE isn’t a setting; did you mean LOG_LEVEL?'
  expect((await health(site)).warnings).toEqual([text])
  expect(site.logLines().some((line) => line.includes('did you mean LOG_LEVEL'))).toBe(true)
  expect(await runOn(site, 'doctor')).toContain(`warn settings: ${text}`)
  // A doctor with other variables hears of it from the server.
  expect((await runCli(['doctor'], site)).out).toContain(`warn settings: ${text}`)
})

test('mail that cannot leave the machine is said, or refused where it would be sent', async () => {
  const https = { SITE_URL: 'https://www.example.com' }
  const smtp = { SMTP_URL: 'smtp://mail.example.com' }
  const addresses = { MAIL_FROM: 'site@example.com', STAFF_EMAIL: 'staff@example.com' }
  expect(warningsOf({ ...https, ...addresses })).toEqual([
    expect.stringContaining('SMTP_URL isn’t set'),
  ])
  expect(warningsOf(smtp)).toEqual([expect.stringContaining('MAIL_FROM and STAFF_EMAIL')])
  expect(problemsOf({ ...https, ...smtp })).toHaveLength(2)
  expect(problemsOf({ ...https, ...smtp, ...addresses, STAFF_EMAIL: 'staff@localhost' })).toEqual([
    expect.stringContaining('STAFF_EMAIL must be set'),
  ])
  expect(problemsOf({ ...https, ...smtp, MAIL_FROM: 'site@example.com' })).toEqual([
    expect.stringContaining('STAFF_EMAIL must be set'),
  ])
  expect(warningsOf({ ...https, ...smtp, ...addresses })).toEqual([])
  await using site = await startSite({ env: https, sending: false })
  await recorded(site)
  expect((await health(site)).warnings).toEqual([expect.stringContaining('SMTP_URL isn’t set')])
})

test('mail that does not leave is seen within minutes: in health, in the log, by doctor', async () => {
  await using site = await startSite({
    env: { SMTP_URL: 'smtp://127.0.0.1:1' },
    sending: false,
  })
  await saveEnquiry(site)
  site.clock.advance(9 * minuteMs)
  await site.context.jobs.runDue()
  expect(await health(site)).toMatchObject({ outbox: 'ok' })
  site.clock.advance(2 * minuteMs)
  await site.context.jobs.runDue()
  expect(await health(site)).toMatchObject({ status: 'degraded', outbox: 'late' })
  const errors = () =>
    site.logLines().filter((line) => line.includes('email is not going out')).length
  expect(errors()).toBe(1)
  const { out } = await runCli(['doctor'], { ...site, env: { SMTP_URL: 'smtp://127.0.0.1:1' } })
  expect(out).toMatch(/warn +outbox: 2 queued, the oldest for/)
  site.clock.advance(minuteMs)
  await site.context.jobs.runDue()
  expect(errors()).toBe(1)
})

test('mail that waited while no server ran is not late as soon as one runs again', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'pitlane-late-'))
  try {
    const clock = createClock()
    {
      await using site = await startSite({ dataDir, clock, sending: false })
      await saveEnquiry(site)
    }
    clock.advance(180 * minuteMs)
    await using smtp = await startSmtp()
    smtp.mood = 'hang'
    await using site = await startSite({ dataDir, clock, env: { SMTP_URL: smtp.url } })
    await site.context.jobs.runDue()
    expect(await health(site)).toMatchObject({ outbox: 'ok' })
    expect(site.logLines().filter((line) => line.includes('email is not going out'))).toEqual([])
    // The end of the site waits for what is on its way.
    await smtp.goDown()
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})

test('a mail that is meant for later is not late', async () => {
  await using site = await startSite({ sending: false })
  await site.context.commit((tx) =>
    site.context.mails.enqueue(tx, 'staffDigest', {
      key: 'later',
      data: { lines: [] },
      dueAt: site.clock() + 60 * minuteMs,
    }),
  )
  site.clock.advance(30 * minuteMs)
  expect(await health(site)).toMatchObject({ outbox: 'ok' })
})

test('a proxy that TRUST_PROXY does not name is noticed, and forgotten when it goes', async () => {
  await using site = await startSite({ sending: false })
  const forwarded = async (count: number) => {
    for (let n = 0; n < count; n += 1) {
      await site.get('/robots.txt', { headers: { 'X-Forwarded-For': `198.51.100.${n}` } })
    }
  }
  await forwarded(9)
  expect((await health(site)).warnings).toEqual([])
  await site.get('/robots.txt')
  await forwarded(9)
  // A health check of the machine itself interrupts nothing.
  expect((await health(site)).warnings).toEqual([])
  await forwarded(1)
  expect((await health(site)).warnings).toEqual([expect.stringContaining('TRUST_PROXY')])
  expect(site.logLines().some((line) => line.includes('TRUST_PROXY'))).toBe(true)
  await expect
    .poll(async () => (await runCli(['doctor'], site)).out)
    .toContain('warn settings: Every request comes from 127.0.0.1 with X-Forwarded-For')
  for (let n = 0; n < 10; n += 1) await site.get('/robots.txt')
  expect((await health(site)).warnings).toEqual([])

  await using trusting = await startSite({ env: { TRUST_PROXY: '1' }, sending: false })
  for (let n = 0; n < 20; n += 1) {
    await trusting.get('/robots.txt', { headers: { 'X-Forwarded-For': '198.51.100.1' } })
  }
  expect((await health(trusting)).warnings).toEqual([])
})

test('a proxy that TRUST_PROXY names and that keeps visitors’ addresses to itself is noticed', async () => {
  await using site = await startSite({ env: { TRUST_PROXY: '1' }, sending: false })
  const ask = async (count: number, headers: Record<string, string>) => {
    for (let n = 0; n < count; n += 1) await site.get('/robots.txt', { headers })
  }
  const warning =
    'TRUST_PROXY trusts 127.0.0.1, but its requests have no visitor’s address in X-Forwarded-For'
  await ask(9, { 'X-Forwarded-For': 'unknown' })
  await ask(1, { 'X-Forwarded-For': '198.51.100.1' })
  await ask(9, { 'X-Forwarded-For': '198.51.100.1, unknown' })
  // Health checks of the machine itself count for nothing.
  expect((await health(site)).warnings).toEqual([])
  await ask(1, {})
  expect((await health(site)).warnings).toEqual([expect.stringContaining(warning)])
  expect(site.logLines().filter((line) => line.includes(warning))).toHaveLength(1)
  await expect
    .poll(async () => (await runCli(['doctor'], site)).out)
    .toContain(`warn settings: ${warning}`)
  await ask(10, { 'X-Forwarded-For': '198.51.100.1:4711' })
  expect((await health(site)).warnings).toEqual([])
})

test('HSTS speaks for subdomains only when asked to', async () => {
  const env = {
    SITE_URL: 'https://www.example.com',
    MAIL_FROM: 'a@example.com',
    STAFF_EMAIL: 'b@example.com',
  }
  const header = async (more: Record<string, string>) => {
    await using site = await startSite({ env: { ...env, ...more }, sending: false })
    const [page, api] = await Promise.all([site.get('/'), site.get('/api/health')])
    expect(page.headers['strict-transport-security']).toBe(api.headers['strict-transport-security'])
    return page.headers['strict-transport-security']
  }
  expect(await header({})).toBe('max-age=63072000')
  expect(await header({ HSTS: 'includeSubDomains; preload' })).toBe(
    'max-age=63072000; includeSubDomains; preload',
  )
  for (const HSTS of ['preload', 'max-age=0', 'includeSubDomains\r\nX: y']) {
    expect(problemsOf({ ...env, HSTS })).toHaveLength(1)
  }
})

test('INDEXING=off keeps robots out of everything', async () => {
  await using site = await startSite({ env: { INDEXING: 'off' }, sending: false })
  expect((await site.get('/robots.txt')).text).toBe('User-agent: *\nDisallow: /\n')
  for (const path of ['/', '/robots.txt', '/sitemap.xml', '/api/health', '/nowhere', '/llms.txt']) {
    expect([path, (await site.get(path)).headers['x-robots-tag']]).toEqual([
      path,
      expect.stringContaining('noindex'),
    ])
  }
  expect(problemsOf({ INDEXING: 'no' })).toEqual(['INDEXING must be on or off.'])
})

test('TEST_PAGE=off makes /test a 404', async () => {
  await using off = await startSite({ env: { TEST_PAGE: 'off' }, sending: false })
  expect((await off.get('/test')).status).toBe(404)
  await using on = await startSite({ sending: false })
  expect((await on.get('/test')).status).toBe(200)
})

test('FRAME_ANCESTORS lets the named sites frame the contact window and nothing else', async () => {
  const FRAME_ANCESTORS = 'https://partner.example, https://www.example.org'
  await using site = await startSite({ env: { FRAME_ANCESTORS }, sending: false })
  const frame = async (path: string) => {
    const { headers } = await site.get(path)
    const policy = String(headers['content-security-policy'])
    return [/frame-ancestors ([^;]*)/.exec(policy)?.[1], headers['x-frame-options']]
  }
  const allowed = ["'self' https://partner.example https://www.example.org", undefined]
  expect(await frame('/contactwindow')).toEqual(allowed)
  expect(await frame('/contactwindow?a=b')).toEqual(allowed)
  expect(await frame('/')).toEqual(["'self'", 'SAMEORIGIN'])
  expect(await frame('/contactwindows')).toEqual(["'self'", 'SAMEORIGIN'])
  const replied = await site.post('/contactwindow', 'Name=', {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  })
  expect(replied.headers['x-frame-options']).toBeUndefined()
  expect(replied.headers['content-security-policy']).toContain('https://partner.example')
  for (const wrong of ['*', 'partner.example', "https://a.example/; script-src 'unsafe-inline'"]) {
    expect(problemsOf({ FRAME_ANCESTORS: wrong })).toHaveLength(1)
  }
  await using usual = await startSite({ sending: false })
  const { headers } = await usual.get('/contactwindow')
  expect(headers['x-frame-options']).toBe('SAMEORIGIN')
})

test('relative paths begin beside package.json, wherever a command is started', () => {
  const { dataDir } = readConfig({ DATA_DIR: 'data/elsewhere' })
  expect(dataDir).toBe(join(import.meta.dirname, '../../data/elsewhere'))
  const before = process.cwd()
  const other = mkdtempSync(join(tmpdir(), 'pitlane-cwd-'))
  mkdirSync(other, { recursive: true })
  process.chdir(other)
  try {
    expect(readConfig({ DATA_DIR: 'data/elsewhere' }).dataDir).toBe(dataDir)
  } finally {
    process.chdir(before)
    rmSync(other, { recursive: true })
  }
})
