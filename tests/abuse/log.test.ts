import { expect, test } from 'vitest'
import { readLine } from '#client/log-viewer/lines.ts'
import { createAlerts } from '#server/log-viewer/alerts.ts'
import { createRedactor } from '#server/logging/redact.ts'
import { openEvents } from '../support/event-stream.ts'
import { eventually } from '../support/eventually.ts'
import { startSite, type Site } from '../support/site.ts'
import { signIn } from '../support/staff.ts'

const ringLines = (site: Site) => site.context.recentLog.since(0).lines

test('each log line is valid JSON whatever is sent, and the viewer shows it', async () => {
  await using site = await startSite({ env: { TRUST_PROXY: '1' } })
  const staff = await signIn(site, ['ops'])
  for (const forwarded of ['x","level":"fatal', '"', '\\', 'a\u00e4', '1.2.3.4"}', '\u0001']) {
    await site.get('/api/session', {
      headers: {
        'X-Forwarded-For': Buffer.from(forwarded).toString('latin1').replace('\u0001', ''),
      },
    })
  }
  // A control character stands as an escape in JSON, in front of what is masked.
  for (const text of ['\u0001aino@example.com', '\ud800a@example.com', '\\aino@b.fi', '\n@x']) {
    site.context.log.error({ err: new Error(`550 ${text} unknown`) }, `refused ${text}`)
  }
  await eventually(() => expect(ringLines(site).join('')).toContain('refused'))
  for (const line of ringLines(site)) expect(() => JSON.parse(line), line).not.toThrow()
  expect(ringLines(site).filter((line) => line.includes('"fatal"'))).toEqual([])
  expect(ringLines(site).join('')).not.toContain('aino')
  using viewer = await openEvents(`${site.url}/api/logs`, staff.headers)
  // A job of the start may have written the last line.
  await eventually(() =>
    expect(viewer.events.map(({ data }) => data).join('')).toContain('refused'),
  )
})

const malformed = [
  '',
  '{"level":"error","msg":"cut of',
  'null',
  '5',
  '"text"',
  '[]',
  '{}',
  '{"level":"error","time":{"toString":1},"msg":{"toString":1},"err":null}',
  '{"level":5,"time":"9999999","msg":"request","path":5}',
  '{"level":"error","err":{"message":{"a":1}},"a":{"toString":null}}',
]

test('the viewer shows a malformed line as it is', () => {
  for (const raw of malformed) {
    const line = readLine(raw, '1')
    expect(line.raw).toBe(raw)
    expect(typeof line.message).toBe('string')
    expect(Number.isFinite(Date.parse(line.time))).toBe(true)
  }
})

test('a malformed line does not stop the alerts', async () => {
  await using site = await startSite({ sending: false })
  const { mails, commit } = site.context
  const lines: string[] = []
  const look = createAlerts({
    recentLog: {
      end: () => lines.length,
      since: (place) => ({ lines: lines.slice(place), from: place, next: lines.length, missed: 0 }),
    },
    mails,
    commit,
    clock: site.clock,
  })
  for (let n = 0; n < 25; n += 1) lines.push('{"level":"error","msg":"cut of')
  await look()
  expect(mails.list().filter(({ kind }) => kind === 'logAlert')).toHaveLength(1)
})

test('secrets are cut from logged paths and texts', async () => {
  await using site = await startSite()
  const redactor = createRedactor(site.context.contributions)
  const token = 'Zk3vQp7wXr9tLm2nBs5dFg8hJc'
  for (const path of [
    `/booking/${token}`,
    `/booking/${token}/cancel`,
    `/booking/${token}.ics`,
    `/booking/staff/${token}`,
    `/Booking/${token}`,
    `/shop/orders/${token}/invoice.pdf`,
    `/shop/downloads/${token}/photo.jpg`,
    `/shop/checkout/success?order=${token}`,
    `/subscription/confirm/${token}`,
    `/subscription/leave/${token}`,
    `/s/${token}/zip/${token}`,
    `/api/folders/${token}`,
    `/calendar/staff/${token}.ics`,
    `/anything/else/${token}`,
  ]) {
    const lower = path.replaceAll(token, token.toLowerCase())
    await site.get(path)
    const text = redactor.text(`GET ${lower} from https://site.example${lower} failed at ${lower}`)
    if (!/anything|calendar/.test(path))
      expect([path, text]).toEqual([path, expect.not.stringContaining(token.toLowerCase())])
  }
  await eventually(() => expect(site.logLines().join('')).toContain('/anything/else/'))
  expect(site.logLines().join('')).not.toContain(token)
})

test('signatures, proofs and keys of services are no text for the log', async () => {
  await using site = await startSite()
  const { log } = site.context
  const secret = 'a8f5f167f44f4964e6c998dee827110c'
  log.error(
    {
      headers: { 'Stripe-Signature': `t=1,v1=${secret}`, 'X-Form-Proof': `${secret}.5` },
      err: new Error(
        `Invalid API key sk_live_${secret}, whsec_${secret}, Authorization: Bearer ${secret}, /x?order=${secret}, https://user:${secret}@api.example/a?b=${secret}#${secret}`,
      ),
    },
    'payment',
  )
  const text = site.logLines().join('')
  expect(text).toContain('payment')
  expect(text).not.toContain(secret)
})

test('no text takes the log long to look through', () => {
  const privatePaths = ['/s/', '/subscription/leave/']
  const redactor = createRedactor(() => ({ privatePaths, secretFields: new Set() }))
  const long = 200_000
  for (const part of [
    'a://',
    '://a',
    'a@',
    '@a',
    '?a',
    '/s/',
    '/subscription/leave/',
    '%40a',
    'sk_',
    'bearer ',
    'aA1',
    '?a=',
  ]) {
    const text = part.repeat(long / part.length)
    // The processor's time: a crowded machine lets any text wait.
    const before = process.threadCpuUsage()
    redactor.text(text)
    const { user, system } = process.threadCpuUsage(before)
    expect([part, user + system < 1_000_000]).toEqual([part, true])
  }
})

test('one network cannot take all places of the viewers, and one that takes nothing loses its own', async () => {
  await using site = await startSite()
  const { headers } = await signIn(site, ['ops'])
  const url = `${site.url}/api/logs`
  const viewers = await Promise.all(Array.from({ length: 10 }, () => openEvents(url, headers)))
  const eleventh = await site.get('/api/logs', { headers })
  expect([eleventh.status, eleventh.headers['retry-after']]).toEqual([503, '10'])
  using other = await openEvents(url, headers, '127.0.0.9')
  expect(other.status).toBe(200)

  viewers[0]!.pause()
  const filler = 'x'.repeat(8000)
  const seen = async (text: string) => {
    site.context.log.info({}, text)
    // The log goes on beside it.
    const shows = () => viewers[1]!.events.slice(-20).some(({ data }) => data.includes(`"${text}"`))
    await eventually(() => expect(shows()).toBe(true))
  }
  // More than the buffers of both ends hold, 10 MB, in parts that the log has room for.
  for (let round = 0; round < 5; round += 1) {
    for (let n = 0; n < 400; n += 1) site.context.log.info({ filler }, `${round}.${n}`)
    await seen(`round ${round}`)
  }
  site.clock.advance(30_000)
  await seen('half a minute later')
  site.clock.advance(61_000)
  const again = await eventually(async () => {
    const viewer = await openEvents(url, headers)
    expect(viewer.status).toBe(200)
    return viewer
  })
  for (const viewer of [...viewers, again]) viewer[Symbol.dispose]()
})
