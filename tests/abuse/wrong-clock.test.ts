import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dayMs, hourMs, minuteMs } from '#shared/dates/durations.ts'
import { makeClient, signIn } from '../support/clients.ts'
import { enquiry, saveEnquiry } from '../support/enquiry.ts'
import { runOn } from '../support/in-process-cli.ts'
import { runSql } from '../support/raw-database.ts'
import { runCli } from '../support/run-cli.ts'
import { csrfHeaders, send } from '../support/send.ts'
import { startProcess } from '../support/server-process.ts'
import { createClock, startSite, type Site } from '../support/site.ts'

const years = (count: number) => count * 365 * dayMs

/** State that outlives its sites. */
function temporaryState() {
  const dataDir = mkdtempSync(join(tmpdir(), 'pitlane-clock-'))
  return { dataDir, [Symbol.dispose]: () => rmSync(dataDir, { recursive: true, force: true }) }
}

const tickets = ({ context }: Site) =>
  Array.from(context.features.contact.tickets.list(), ({ ticketId }) => ticketId)
const backups = ({ dataDir }: Site) =>
  readdirSync(join(dataDir, 'backups')).filter((name) => !name.startsWith('.'))
const health = async (site: Site) =>
  (await site.get('/api/health')).json as { status: string; clock: string; warnings: string[] }
const run = ({ context }: Site) => context.jobs.runDue()

/** A site with a ticket and two backups, which has run for a while. */
async function lived(dataDir: string, clock = createClock()) {
  const site = await startSite({ dataDir, clock, sending: false })
  await saveEnquiry(site)
  await run(site)
  await runOn(site, 'backup', 'create')
  clock.advance(dayMs)
  await run(site)
  await site.context.siteClock.look()
  return site
}

test('a start with a clock three years ahead deletes, ends and chases nothing, and says so', async () => {
  using state = temporaryState()
  const before = await lived(state.dataDir)
  const [kept, made] = [tickets(before), backups(before)]
  await before[Symbol.asyncDispose]()
  expect([kept.length, made.length]).toEqual([1, 2])

  await using site = await startSite({
    dataDir: state.dataDir,
    clock: createClock(before.clock() + years(3)),
    sending: false,
  })
  await run(site)
  await site.context.siteClock.look()
  expect(tickets(site)).toEqual(kept)
  expect(backups(site)).toEqual(expect.arrayContaining(made))
  expect(await health(site)).toMatchObject({ status: 'degraded', clock: 'ahead' })
  expect(site.logLines().some((line) => line.includes('doctor --accept-clock'))).toBe(true)
  expect(await runOn(site, 'doctor').catch((error: Error) => error.message)).toMatch(
    /warn clock: The clock says .*2029.* but the site last ran until .*2026/,
  )
  // Nothing that was waiting counts as late.
  expect(site.context.jobs.problemCounts().late).toBe(0)
})

test('the very start that brings the update may be the one with the wrong clock', async () => {
  using state = temporaryState()
  const before = await lived(state.dataDir)
  await before[Symbol.asyncDispose]()
  // As the version before left it.
  runSql(
    state.dataDir,
    `DROP TABLE clock; ALTER TABLE jobs DROP COLUMN scheduled_at;
    DELETE FROM migrations WHERE number = 54`,
  )
  await using site = await startSite({
    dataDir: state.dataDir,
    clock: createClock(before.clock() + years(3)),
    sending: false,
  })
  await run(site)
  expect(await health(site)).toMatchObject({ clock: 'ahead' })
  expect(tickets(site)).toHaveLength(1)
})

test('after the clock was put right no job sleeps, no mail waits, and no lease holds anything back', async () => {
  using state = temporaryState()
  const before = await lived(state.dataDir)
  await before[Symbol.asyncDispose]()

  const wrong = await startSite({
    dataDir: state.dataDir,
    clock: createClock(before.clock() + years(3)),
    sending: false,
  })
  await run(wrong)
  await wrong.context.siteClock.look()
  await wrong.context.commit((tx) => {
    wrong.context.mails.enqueue(tx, 'staffDigest', { key: 'wrong', data: { lines: [] } })
    wrong.context.jobs.schedule(tx, 'orders.close-page', 'A-1', wrong.clock())
    wrong.context.mails.lease(tx, 30_000, [])
  })
  await wrong[Symbol.asyncDispose]()

  const clock = createClock(before.clock() + hourMs)
  await using site = await startSite({ dataDir: state.dataDir, clock, sending: false })
  await site.context.siteClock.look()
  expect(site.context.siteClock.doubt()).toBeNull()
  expect(await health(site)).toMatchObject({ clock: 'ok', warnings: [] })
  await run(site)
  for (const { kind, key, nextAt, leasedUntil } of site.context.jobs.list()) {
    expect([kind, key, nextAt! <= clock() + 25 * hourMs]).toEqual([kind, key, true])
    expect([kind, (leasedUntil ?? 0) <= clock() + hourMs]).toEqual([kind, true])
  }
  // Backups that are dated years ahead don't pass for tonight's, and leave before the others.
  for (let night = 0; night < 8; night += 1) {
    clock.advance(dayMs)
    await run(site)
  }
  expect(backups(site).filter((name) => name.startsWith('2029'))).toEqual([])
  expect(await runOn(site, 'doctor').catch(String)).not.toContain('warn backups')
  clock.advance(3 * dayMs)
  const { look } = site.context.contributions().doctor.find(({ check }) => check === 'backups')!
  expect(await look()).toMatchObject({ state: 'warn' })
  for (const { kind, dueAt } of site.context.mails.list()) {
    if (dueAt !== null) expect([kind, dueAt <= clock() + hourMs]).toEqual([kind, true])
  }
  expect(site.context.mails.isDue()).toBe(true)
})

test('a clock that jumps while the server runs is noticed at once', async () => {
  using state = temporaryState()
  await using site = await lived(state.dataDir)
  site.clock.jump(years(3))
  await run(site)
  expect(tickets(site)).toHaveLength(1)
  expect(await health(site)).toMatchObject({ status: 'degraded', clock: 'ahead' })
  site.clock.jump(-years(3))
  expect(await health(site)).toMatchObject({ clock: 'ok' })
})

test('a month switched off: a time service confirms the clock, and everything goes on', async () => {
  using state = temporaryState()
  const before = await lived(state.dataDir)
  await before[Symbol.asyncDispose]()
  await using site = await startSite({
    dataDir: state.dataDir,
    clock: createClock(before.clock() + 30 * dayMs),
    sending: false,
    confirmClock: async () => 'timedatectl',
  })
  await site.context.siteClock.look()
  expect(await health(site)).toMatchObject({ clock: 'ok' })
})

test('without a time service staff accept the clock, from another process', async () => {
  using state = temporaryState()
  const clock = createClock(Date.now() - 30 * dayMs)
  const before = await lived(state.dataDir, clock)
  await before[Symbol.asyncDispose]()
  await using site = await startSite({
    dataDir: state.dataDir,
    clock: createClock(Date.now()),
    sending: false,
  })
  await site.context.siteClock.look()
  expect(await health(site)).toMatchObject({ clock: 'ahead' })
  const { out } = await runCli(['doctor', '--accept-clock'], { dataDir: state.dataDir })
  expect(out).toContain('accepted')
  expect(await health(site)).toMatchObject({ clock: 'ok' })
  await site.context.siteClock.look()
  expect(await health(site)).toMatchObject({ clock: 'ok' })
})

test('a day of steady running accepts the clock, also over a restart', async () => {
  using state = temporaryState()
  const before = await lived(state.dataDir)
  await before[Symbol.asyncDispose]()
  const clock = createClock(before.clock() + years(3))
  const options = { dataDir: state.dataDir, clock, sending: false }
  const first = await startSite(options)
  for (let hour = 0; hour < 20; hour += 1) {
    await first.context.siteClock.look()
    clock.advance(hourMs)
  }
  await first.context.siteClock.look()
  await run(first)
  expect(tickets(first)).toHaveLength(1)
  await first[Symbol.asyncDispose]()
  await using second = await startSite(options)
  for (let hour = 0; hour < 3; hour += 1) {
    await second.context.siteClock.look()
    clock.advance(hourMs)
  }
  expect(await health(second)).toMatchObject({ clock: 'ahead' })
  clock.advance(2 * hourMs)
  await second.context.siteClock.look()
  expect(await health(second)).toMatchObject({ clock: 'ok' })
  await run(second)
  expect(tickets(second)).toEqual([])
  // However right the clock may be: the last backups stay.
  expect(backups(second).length).toBeGreaterThanOrEqual(2)
})

test('a clock set back revives no code, and the site goes on from the last time it knew', async () => {
  using state = temporaryState()
  const before = await lived(state.dataDir)
  const { commit, features } = before.context
  const client = await runOn(before, 'clients', 'add', 'Team')
  expect(client).toContain('added')
  const code = await commit((tx) =>
    features.clients.codes.add(tx, features.clients.list()[0]!.id, {
      label: '',
      scopes: ['view'],
      expiresAt: before.clock() + hourMs,
      maxUses: null,
    }),
  )
  before.clock.advance(2 * hourMs)
  await before.context.siteClock.look()
  const last = before.clock()
  await before[Symbol.asyncDispose]()

  const clock = createClock(last - years(3))
  await using site = await startSite({ dataDir: state.dataDir, clock, sending: false })
  expect(site.context.clock()).toBe(last)
  clock.advance(minuteMs)
  expect(site.context.clock()).toBe(last + minuteMs)
  expect(
    await site.context.commit((tx) => site.context.features.clients.codes.use(tx, code.code)),
  ).toBeNull()
  await run(site)
  expect(tickets(site)).toHaveLength(1)
  expect(await health(site)).toMatchObject({ status: 'degraded', clock: 'behind' })
  clock.jump(years(3))
  expect(site.context.clock()).toBe(last + minuteMs)
  expect(await health(site)).toMatchObject({ clock: 'ok' })
})

test('with a clock set back, what visitors send is still saved: a machine counts parts of milliseconds', async () => {
  const clock = Object.assign(createClock(), { steady: () => performance.now() })
  await using site = await startSite({ clock })
  clock.jump(-2 * hourMs)
  expect(await health(site)).toMatchObject({ clock: 'behind' })
  expect(await site.post('/api/save-contact-form', enquiry())).toMatchObject({ status: 201 })
  await run(site)
  expect(tickets(site)).toHaveLength(1)
})

test('a session that began by a clock years ahead does not last until then', async () => {
  await using site = await startSite({ sending: false })
  const { code } = await makeClient(site)
  site.clock.jump(years(3))
  const Cookie = await signIn(site, code)
  const signedIn = async () =>
    (await site.get('/api/session', { headers: { Cookie } })).json?.signedIn
  expect(await signedIn()).toBe(true)
  site.clock.jump(-years(3))
  expect(await signedIn()).toBe(false)
})

test('no mail is given up because the clock jumps', async () => {
  await using site = await startSite({ env: { SMTP_URL: 'smtp://127.0.0.1:1' } })
  await saveEnquiry(site)
  const all = () =>
    site.context.mails
      .list()
      .filter(({ reference }) => reference === 'abc123')
      .map(({ attempts, status }) => `${status} after ${attempts}`)
  const become = (states: string) => expect.poll(all).toEqual([states, states])
  await become('queued after 1')
  // Two attempts before the last one.
  await site.context.commit((tx) =>
    site.context.db.prepareWrite('UPDATE mails SET attempts = 122').run(tx),
  )
  site.clock.jump(years(1))
  site.context.outbox.wake()
  await become('queued after 123')
  await site.context.siteClock.accept()
  site.clock.advance(hourMs)
  await become('failed after 124')
})

test('the real server, started three years later, keeps tickets and backups and says why', async () => {
  using state = temporaryState()
  const start = (shift: number) =>
    startProcess('tests/support/shifted-server.ts', {
      DATA_DIR: state.dataDir,
      CLOCK_SHIFT: String(shift),
    })
  const saved = async () => {
    const { out } = await runCli(['tickets', 'export', '--format', 'json'], state)
    return (JSON.parse(out) as unknown[]).length
  }
  const asked = async (url: string) =>
    (await (await fetch(`${url}/api/health`)).json()) as Record<string, unknown>
  /** What the jobs that may run have done since the start, by the time of their last success. */
  const ran = async () => {
    const { out } = await runCli(['jobs', 'list', '--json'], state)
    const jobs = JSON.parse(out) as { kind: string; lastSuccessAt: string | null }[]
    return jobs.filter(({ lastSuccessAt }) => lastSuccessAt).map(({ kind }) => kind)
  }
  {
    await using right = await start(0)
    const reply = await send(`${right.url}/api/save-contact-form`, {
      method: 'POST',
      headers: { ...csrfHeaders, 'Content-Type': 'application/json' },
      body: enquiry(),
    })
    expect(reply.status).toBe(201)
    await runCli(['backup', 'create'], state)
    await expect.poll(ran, { timeout: 60_000 }).toContain('contact.settle-calls')
    expect(await asked(right.url)).toMatchObject({ clock: 'ok' })
  }
  runSql(state.dataDir, 'UPDATE jobs SET last_success_at = NULL')
  await using wrong = await start(years(3))
  await expect.poll(ran, { timeout: 60_000 }).toContain('backups.make')
  expect(await asked(wrong.url)).toMatchObject({ status: 'degraded', clock: 'ahead' })
  expect(await ran()).not.toContain('contact.forget')
  expect(await saved()).toBe(1)
  const { out } = await runCli(['backup', 'list', '--json'], state)
  expect((JSON.parse(out) as unknown[]).length).toBeGreaterThanOrEqual(2)
})

test('a job that someone adds without a thought waits for a trusted clock', async () => {
  const ran: string[] = []
  const job = (kind: string, rest = {}) => ({
    kind,
    about: 'a test',
    run: () => void ran.push(kind),
    ...rest,
  })
  await using site = await startSite({
    sending: false,
    features: [
      () => ({
        name: 'pit',
        jobs: [
          job('pit.scrap', { recurs: { daily: '08:00' } }),
          job('pit.wash', { recurs: { daily: '08:00' }, waitsForTrustedClock: false }),
        ],
      }),
    ],
  })
  site.clock.jump(years(1))
  await run(site)
  expect(ran).toEqual(['pit.wash'])
  mkdirSync(join(site.dataDir, 'backups'), { recursive: true })
  await site.context.siteClock.accept()
  await run(site)
  expect(ran).toEqual(['pit.wash', 'pit.scrap'])
})

test('who wrote while the clock was years ahead gets confirmations again once it is put right', async () => {
  await using site = await startSite({ sending: false })
  const write = (id: string) => saveEnquiry(site, { 'Ticket ID': id })
  const queued = (kind: string) => {
    const { mails } = site.context
    return mails.queuedTo(enquiry().Email, kind, site.clock() - dayMs)
  }
  site.clock.jump(years(3))
  await write('ahead1')
  expect(queued('confirmation')).toBe(1)
  site.clock.jump(-years(3))
  expect(queued('confirmation')).toBe(0)
  await write('right1')
  expect(queued('confirmation')).toBe(1)
  const { tickets: store } = site.context.features.contact
  const [{ network }] = site.context.db.prepare('SELECT network FROM tickets').all() as [
    { network: string },
  ]
  expect(store.countOfNetwork(network, { now: site.clock(), ms: dayMs })).toBe(1)
})

test('a first start with a clock that was never set works, says so, and waits for the right one', async () => {
  using state = temporaryState()
  const clock = createClock(Date.UTC(1970, 5, 1))
  await using site = await startSite({ dataDir: state.dataDir, clock, sending: false })
  await site.context.siteClock.look()
  // Prices of 1970 are unknown.
  expect((await site.get('/api/bookings/form')).status).toBe(200)
  expect((await site.get('/api/shop/products/blue-hour-fine-art-print')).status).toBe(200)
  expect(await health(site)).toMatchObject({ status: 'degraded', clock: 'behind' })
  expect(site.context.siteClock.doubt()?.text).toMatch(
    /^The clock says 1 June 1970.*, which is before this site was made\. /,
  )
  clock.jump(Date.UTC(2026, 10, 20) - clock())
  await site.context.siteClock.accept()
  expect(await health(site)).toMatchObject({ clock: 'ok' })
  expect(site.context.clock()).toBe(clock())
})
