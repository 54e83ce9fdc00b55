import { monitorEventLoopDelay } from 'node:perf_hooks'
import { expect, test } from 'vitest'
import { databaseFile } from '#server/db/open.ts'
import { makeClient, signIn, tryCode } from '../support/clients.ts'
import { enquiry, mailCalls, saveEnquiry } from '../support/enquiry.ts'
import { holdDatabase } from '../support/hold-database.ts'
import { eventually } from '../support/eventually.ts'
import { runCli } from '../support/run-cli.ts'
import { share } from '../support/shared-folder.ts'
import { startSite, type Site } from '../support/site.ts'

const browser = {
  'User-Agent':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
}

/** Far above the pauses of a crowded machine, far below SQLite's own waiting of five seconds. */
const maxPauseMs = 2_000

/** Milliseconds for which the event loop was held up at most, while something was done. */
async function longestHold(work: () => Promise<void>): Promise<number> {
  const delays = monitorEventLoopDelay({ resolution: 5 })
  delays.enable()
  await work()
  delays.disable()
  return delays.max / 1e6
}

const makeLink = ({ context }: Site) =>
  context.commit((tx) =>
    context.features.links.create(
      tx,
      { target: 'https://example.com/race', code: 'kaamos' },
      'test',
    ),
  )

/** A message that is saved once the database is free: what is answered before it has not waited. */
function waitingWrite(site: Site) {
  let waits = true
  const reply = saveEnquiry(site).finally(() => (waits = false))
  return { reply, isWaiting: () => waits }
}

/** For how long the database stays held; time itself is what counts here. */
const pause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms))

test('while another process writes, the event loop goes on, and what is only read is answered at once', async () => {
  await using site = await startSite()
  await makeLink(site)
  const { code } = await makeClient(site)
  const Cookie = await signIn(site, code)
  const folder = await share(site, 'winter', { 'a.txt': 'Start list' })
  const [file] = site.context.features.folders.store.files(folder.id)
  // The last use of the session is old enough to be written down again.
  site.clock.advance(11 * 60_000)
  await site.post('/api/send-email', mailCalls().notice)
  site.clock.advance(11 * 60_000)
  await using holder = await holdDatabase(site.dataDir)
  const write = waitingWrite(site)
  const ask = async (path: string, headers: Record<string, string> = {}) =>
    (await site.get(path, { headers: { ...browser, ...headers } })).status
  const rounds = 10
  const held = await longestHold(async () => {
    for (let round = 0; round < rounds; round += 1) {
      expect(await ask('/l/kaamos')).toBe(302)
      expect(await ask('/api/session', { Cookie })).toBe(200)
      expect(await ask('/panel', { Cookie })).toBe(200)
      expect(await ask('/portfolio')).toBe(200)
      expect(await ask(`/api/folders/${folder.key}`)).toBe(200)
      expect(await ask(`/s/${folder.key}/files/${file!.id}`)).toBe(200)
      expect(await ask(`/s/${folder.key}/zip`)).toBe(200)
      await pause(50)
    }
  })
  expect(write.isWaiting()).toBe(true)
  expect(held).toBeLessThan(maxPauseMs)

  await holder.release()
  expect((await write.reply).status).toBe(201)
  await eventually(async () => {
    await site.context.features.links.flush()
    expect(site.context.features.links.find('kaamos')?.human).toBe(rounds)
  })
})

test('a message that comes meanwhile waits, and is saved as soon as it can be', async () => {
  await using site = await startSite({ sending: false })
  await using holder = await holdDatabase(site.dataDir)
  const saved = saveEnquiry(site)
  const held = await longestHold(() => pause(1000))
  expect(held).toBeLessThan(maxPauseMs)
  await holder.release()
  expect((await saved).status).toBe(201)
  expect(site.context.features.contact.tickets.find('abc123')?.message).toBe(enquiry().Message)
})

test('requests that cannot wait any longer are answered 503 with Retry-After, and write nothing', async () => {
  await using site = await startSite({ sending: false })
  const { code } = await makeClient(site)
  await using holder = await holdDatabase(site.dataDir)
  const started = performance.now()
  const replies = await Promise.all([
    saveEnquiry(site),
    site.post('/api/send-email', mailCalls().notice),
    site.post('/api/consent', {
      decision: 'accept',
      policyVersion: '1',
      at: '2026-11-20T12:00:00Z',
    }),
    ...Array.from({ length: 8 }, () => tryCode(site, code)),
  ])
  expect(performance.now() - started).toBeLessThan(25_000)
  for (const reply of replies) {
    expect(reply.status).toBe(503)
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
    expect(reply.json).toMatchObject({ success: false, code: 'unavailable' })
  }
  await holder.release()
  expect([...site.context.features.contact.tickets.list()]).toEqual([])
  expect((await saveEnquiry(site)).status).toBe(201)
  // Right codes that could not be looked up were no guesses.
  expect((await tryCode(site, code)).status).toBe(200)
})

test('a page of a link is shown with the counts that are there, and never waits for the rest', async () => {
  await using site = await startSite()
  await makeLink(site)
  const { code } = await makeClient(site, { scopes: ['links'] })
  const Cookie = await signIn(site, code)
  await using holder = await holdDatabase(site.dataDir)
  await site.get('/l/kaamos', { headers: browser })
  const write = waitingWrite(site)
  const { status } = await site.get('/api/links/kaamos/statistics?days=7', { headers: { Cookie } })
  expect(status).toBe(200)
  expect(write.isWaiting()).toBe(true)
  await holder.release()
  expect((await write.reply).status).toBe(201)
})

test('a stop while the database is held does not wait for it', async () => {
  const site = await startSite()
  await makeLink(site)
  await using _ = await holdDatabase(site.dataDir)
  await site.get('/l/kaamos', { headers: browser })
  const started = performance.now()
  await site[Symbol.asyncDispose]()
  expect(performance.now() - started).toBeLessThan(25_000)
})

test('a command that can’t open the database while another process writes says that, and not that the disk is full', async () => {
  await using site = await startSite({ sending: false })
  await using _ = await holdDatabase(site.dataDir)
  const { code, err } = await runCli(['tickets', 'list'], { dataDir: site.dataDir })
  expect([code, err]).toEqual([
    1,
    `The database ${databaseFile(site.dataDir)} cannot be opened for writing: another process has been writing to it for 5 seconds. Try again when it’s done.\n`,
  ])
})
