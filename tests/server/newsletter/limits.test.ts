import { expect, test } from 'vitest'
import { startSite } from '../../support/site.ts'
import { ask, confirmations } from './subscription.ts'

const hour = 3_600_000

test('an address gets one confirmation in 24 hours from all networks together', async () => {
  await using site = await startSite()
  await ask(site)
  await ask(site, {}, { from: '127.0.0.2' })
  site.clock.advance(23 * hour)
  await ask(site, {}, { from: '127.0.0.3' })
  expect(await confirmations(site)).toHaveLength(1)
  site.clock.advance(hour)
  await ask(site, {}, { from: '127.0.0.3' })
  expect(await confirmations(site)).toHaveLength(2)
})

test('a mailbox gets one confirmation in 24 hours, however its address is spelt', async () => {
  await using site = await startSite({ sending: false })
  for (const [n, email] of [
    'victim@example.com',
    'VICTIM@example.com',
    'victim+1@example.com',
    'victim+2@Example.com',
  ].entries()) {
    const reply = await ask(site, { email }, { from: `127.0.0.${n + 1}` })
    expect(reply.status).toBe(200)
    expect(reply.text).toContain('confirm in your inbox')
  }
  expect(site.context.mails.list()).toHaveLength(1)
})

test('a network causes five confirmations an hour and does not lock others out', async () => {
  await using site = await startSite()
  const mails = () => site.context.mails.list().length
  for (let person = 0; person < 7; person += 1) {
    expect((await ask(site, { email: `p${person}@example.com` })).status).toBe(200)
  }
  expect(mails()).toBe(5)
  await ask(site, { email: 'other@example.com' }, { from: '127.0.0.2' })
  expect(mails()).toBe(6)
  site.clock.advance(hour)
  await ask(site, { email: 'p6@example.com' })
  expect(mails()).toBe(7)
})

test('beyond 200 confirmations an hour they wait for their turn', async () => {
  await using site = await startSite({ sending: false })
  const {
    commit,
    features: {
      newsletter: { subscribers },
    },
  } = site.context
  const proof = (index: number) => ({ network: `n${index}`, policy: '1', source: null })
  const grants = await commit((tx) =>
    Array.from({ length: 401 }, (_, index) =>
      subscribers.ask(tx, { email: `p${index}@example.com`, name: '' }, proof(index)),
    ),
  )
  const waits = grants.map((grant) => (grant!.dueAt - site.clock()) / hour)
  expect(waits.filter((wait) => wait === 0)).toHaveLength(200)
  expect(waits.filter((wait) => wait === 1)).toHaveLength(200)
  expect(waits.at(-1)).toBe(2)

  await ask(site, { email: 'late@example.com' })
  const mail = site.context.mails.list().at(-1)
  expect(mail?.dueAt).toBe(site.clock() + 2 * hour)
})

test('a flood of forms from one client is answered 429 with a page', async () => {
  await using site = await startSite({ sending: false })
  let last = await ask(site)
  for (let count = 0; count < 60; count += 1) last = await ask(site)
  expect(last.status).toBe(429)
  expect(Number(last.headers['retry-after'])).toBeGreaterThan(0)
  expect(last.headers['content-type']).toContain('text/html')
  expect((await ask(site, {}, { from: '127.0.0.2' })).status).toBe(200)
})
