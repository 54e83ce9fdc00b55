import { afterEach, expect, test, vi } from 'vitest'
import {
  delivery,
  deliveryOf,
  forget,
  keep,
  onUnsent,
  parseUnsent,
  postponed,
  refusedMessage,
  sendWaiting,
  sendable,
  withChange,
  withMessage,
  withoutMessage,
  withoutOld,
} from '#client/contact/saving.ts'
import { enquiry } from '../../support/enquiry.ts'
import { eventually } from '../../support/eventually.ts'
import { fakeBrowser } from '../../support/fake-browser.ts'

const record = enquiry()
const id = record['Ticket ID']

/** A server that answers each save with the next status; it has no proofs to give. */
function answering(...statuses: number[]) {
  const saved: string[] = []
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.stubGlobal('fetch', async (path: string, { body }: { body?: string } = {}) => {
    if (!body) return new Response(null, { status: 503 })
    saved.push((JSON.parse(body) as { 'Ticket ID': string })['Ticket ID'])
    const status = statuses.shift() ?? 500
    const errors = status === 400 ? { Subject: 'Not this subject' } : undefined
    return Response.json({ success: status === 201, path, errors }, { status })
  })
  return saved
}

/** Sends what waits as a browser does that gets online, again and again, until nothing waits. */
async function sendOnline({ tell }: Pick<ReturnType<typeof fakeBrowser>, 'tell'>) {
  let isOver = false
  const sending = sendWaiting().finally(() => (isOver = true))
  await eventually(() => {
    tell('online')
    expect(isOver).toBe(true)
  })
  await sending
}

afterEach(() => {
  vi.restoreAllMocks()
  // Whatever a test left in the memory of the page.
  using _browser = fakeBrowser()
  forget(id)
})

test('a kept message is sent once, and forgotten when the server has it', async () => {
  using browser = fakeBrowser()
  const saved = answering(201)
  keep(record)
  expect([delivery(id), browser.items.size]).toEqual(['waiting', 1])
  await sendOnline(browser)
  expect([saved, delivery(id), browser.items.size]).toEqual([[id], null, 0])
})

test('a number that is taken is drawn again', async () => {
  using browser = fakeBrowser()
  const saved = answering(409, 201)
  keep(record)
  await sendOnline(browser)
  expect(saved).toEqual([id, expect.stringMatching(/^[a-z0-9]{6}$/)])
  expect(saved[1]).not.toBe(id)
  expect(delivery(saved[1]!)).toBeNull()
})

test('a message refused for good is kept for its writer and not sent again', async () => {
  using browser = fakeBrowser()
  const saved = answering(400)
  keep(record)
  await sendOnline(browser)
  await sendOnline(browser)
  expect([saved, delivery(id)]).toEqual([[id], 'refused'])
  expect(refusedMessage()).toMatchObject({
    record,
    refused: { errors: { subject: 'Not this subject' } },
  })
})

test('a failed message is tried again as soon as the network is back', async () => {
  using browser = fakeBrowser()
  const saved = answering(500, 201)
  keep(record)
  await sendOnline(browser)
  expect(saved).toEqual([id, id])
})

test('without storage a message lives as long as the page', async () => {
  using browser = fakeBrowser()
  browser.closeStorage()
  const saved = answering(201)
  keep(record)
  expect(delivery(id)).toBe('waiting')
  await sendOnline(browser)
  expect([saved, delivery(id)]).toEqual([[id], null])
})

test('a listener is called for changes of this tab and of others until it unsubscribes', () => {
  using browser = fakeBrowser()
  let heard = 0
  const end = onUnsent(() => (heard += 1))
  keep(record)
  browser.tell('storage', { key: 'contact_outbox' })
  browser.tell('storage', { key: null })
  browser.tell('storage', { key: 'theme' })
  expect(heard).toBe(3)
  end()
  forget(id)
  expect(heard).toBe(3)
})

const hour = 3_600_000
const first = enquiry()
const second = enquiry({ 'Ticket ID': 'xyz789' })
const both = withMessage(withMessage([], first, 0), second, hour)

test('foreign values in the storage are ignored', () => {
  const whole = both[0]!
  for (const stored of [
    null,
    'undefined',
    '{"record":1}',
    JSON.stringify([null, 1, 'a', { record: {} }, { keptAt: 1 }]),
    JSON.stringify([
      { ...whole, record: { ...first, Message: 5 } },
      { ...whole, tries: '1' },
    ]),
  ]) {
    expect(parseUnsent(stored)).toEqual([])
  }
  expect(parseUnsent(JSON.stringify([null, ...both]))).toEqual(both)
})

test('a message has 20 s for its own attempt, then longer and longer pauses up to 15 min', () => {
  let message = both[0]!
  expect(message.notBefore).toBe(20_000)
  const waits = Array.from({ length: 7 }, () => {
    message = postponed(message, 0, 0)
    return message.notBefore
  })
  expect(waits).toEqual([5000, 15_000, 45_000, 135_000, 405_000, 900_000, 900_000])
})

test('the pause is at least what the server asks for', () => {
  expect(postponed(both[0]!, 1000, 60_000).notBefore).toBe(61_000)
})

test('after 72 hours a message is given up', () => {
  expect(withoutOld(both, 72 * hour)).toEqual(both)
  expect(withoutOld(both, 72 * hour + 1)).toEqual([both[1]])
})

test('a refused message waits for its writer and is not sent again by itself', () => {
  const refused = withChange(both, 'abc123', (each) => ({ ...each, refused: { errors: {} } }))
  expect(sendable(refused)).toEqual([both[1]])
  expect(deliveryOf(refused, 'abc123')).toBe('refused')
  expect(deliveryOf(refused, 'xyz789')).toBe('waiting')
  expect(deliveryOf(withoutMessage(refused, 'abc123'), 'abc123')).toBeNull()
})
