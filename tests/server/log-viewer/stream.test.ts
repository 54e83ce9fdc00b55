import { expect, test } from 'vitest'
import { openEvents, type EventStream } from '../../support/event-stream.ts'
import { eventually } from '../../support/eventually.ts'
import { startSite, type Site } from '../../support/site.ts'
import { signIn } from '../../support/staff.ts'

const messages = ({ events }: EventStream) =>
  events
    .flatMap(({ data }) => data.split('\n'))
    .map((line) => (JSON.parse(line) as { msg: string }).msg)

/** The line that stands where lines are missing. */
const missing = /^(\d+) lines are missing here/

const open = async (site: Site, headers: Record<string, string>) =>
  openEvents(`${site.url}/api/logs`, headers)

test('the log is for codes with the scope ops alone', async () => {
  await using site = await startSite()
  expect((await site.get('/api/logs')).status).toBe(401)
  const client = await signIn(site, ['view', 'links'])
  expect((await site.get('/api/logs', client)).status).toBe(403)
  expect((await site.get('/api/logs/access', client)).json).toEqual({
    development: false,
    server: false,
  })
})

test('a viewer gets what is kept and then what comes', async () => {
  await using site = await startSite()
  const { headers } = await signIn(site, ['ops'])
  site.context.log.info('before')
  using viewer = await open(site, headers)
  expect(viewer.status).toBe(200)
  expect(viewer.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
  })
  await eventually(() => expect(messages(viewer)).toContain('before'))
  site.context.log.warn('after')
  await eventually(() => expect(messages(viewer)).toContain('after'))
})

test('HEAD has the headers of the stream, at once, and is no viewer', async () => {
  await using site = await startSite({ sending: false })
  const { headers } = await signIn(site, ['ops'])
  for (let n = 0; n < 11; n += 1) {
    const head = await fetch(`${site.url}/api/logs`, { method: 'HEAD', headers })
    expect(head.status).toBe(200)
    expect(head.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  }
  using viewer = await open(site, headers)
  expect(viewer.status).toBe(200)
})

test('a viewer that comes back goes on where it broke off', async () => {
  await using site = await startSite()
  const { headers } = await signIn(site, ['ops'])
  let last = ''
  {
    using viewer = await open(site, headers)
    site.context.log.info('first')
    await eventually(() => expect(messages(viewer)).toContain('first'))
    last = viewer.events.at(-1)?.id ?? ''
  }
  site.context.log.info('second')
  using again = await open(site, { ...headers, 'Last-Event-ID': last })
  await eventually(() => expect(messages(again)).toContain('second'))
  expect(messages(again)).not.toContain('first')
  using other = await open(site, { ...headers, 'Last-Event-ID': 'other-7' })
  await eventually(() => expect(messages(other)).toContain('first'))
})

test('a viewer that reconnects finds a line where lines are missing', async () => {
  await using site = await startSite()
  const { headers } = await signIn(site, ['ops'])
  using first = await open(site, headers)
  await eventually(() => expect(first.events.length).toBeGreaterThan(0))
  const last = first.events.at(-1)?.id ?? ''
  for (let n = 0; n < 1500; n += 1) site.context.log.info(`line ${n}`)
  using again = await open(site, { ...headers, 'Last-Event-ID': last })
  await eventually(() => expect(messages(again)).toContain('line 1499'))
  const [, missed] = missing.exec(messages(again)[0]!) ?? []
  expect(Number(missed)).toBeGreaterThanOrEqual(500)
  expect(messages(again).length).toBeLessThanOrEqual(1001)
})

test('a slow viewer does not delay others and finds a line where lines are missing', async () => {
  await using site = await startSite()
  const { headers } = await signIn(site, ['ops'])
  using slow = await open(site, headers)
  using quick = await open(site, headers)
  slow.pause()
  const filler = 'x'.repeat(4000)
  for (let round = 0; round < 30; round += 1) {
    for (let n = 0; n < 400; n += 1) site.context.log.info({ filler }, `${round}.${n}`)
    const last = `${round}.399`
    await eventually(() => expect(messages(quick)).toContain(last))
  }
  slow.resume()
  await eventually(() => expect(messages(slow)).toContain('29.399'))
  expect(messages(slow).some((text) => missing.test(text))).toBe(true)
})

test('revoking the code ends the stream', async () => {
  await using site = await startSite()
  const { headers, codeId } = await signIn(site, ['ops'])
  using viewer = await open(site, headers)
  await eventually(() => expect(viewer.events.length).toBeGreaterThan(0))
  await site.context.commit((tx) => site.context.features.clients.codes.revoke(tx, codeId))
  await eventually(() => expect(viewer.ended()).toBe(true))
  expect((await site.get('/api/logs', { headers })).status).toBe(401)
})

test('viewers see the last lines of a server, and do not hold up its end', async () => {
  await using site = await startSite()
  const { headers } = await signIn(site, ['ops'])
  const viewers = await Promise.all(Array.from({ length: 10 }, () => open(site, headers)))
  site.context.log.info('chequered flag')
  site.context.contributions().release()
  await eventually(() => expect(viewers.every((viewer) => viewer.ended())).toBe(true))
  for (const viewer of viewers) expect(messages(viewer)).toContain('chequered flag')
  expect((await site.get('/api/logs', { headers })).status).toBe(503)
})
