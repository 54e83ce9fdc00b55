import { afterEach, expect, test, vi } from 'vitest'
import {
  delivery,
  forget,
  keep,
  onOutbox,
  refusedMessage,
  sendWaiting,
} from '../../../client/contact/outbox.ts'
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
  const end = onOutbox(() => (heard += 1))
  keep(record)
  browser.tell('storage', { key: 'contact_outbox' })
  browser.tell('storage', { key: null })
  browser.tell('storage', { key: 'theme' })
  expect(heard).toBe(3)
  end()
  forget(id)
  expect(heard).toBe(3)
})
