import type { ContactRecord } from '#shared/contact.ts'
import { outboxKey } from './outbox-key.ts'
import { freshProof, ripe, save } from './save.ts'
import { drawTicketId } from './ticket-id.ts'

/** A message that is not known to be saved; times in milliseconds of the epoch. */
type Waiting = { record: ContactRecord; keptAt: number; tries: number; notBefore: number }

/** Fired on the window when the outbox changed in this tab; a storage event tells the others. */
export const outboxChanged = 'contact_outbox'

/** How long a message is tried again before it is given up (design 1.3). */
const longest = 72 * 3_600_000
/** How long the form's own attempt has before another may be made. */
const ownAttempt = 20_000
const mostClashes = 3

const backoff = (tries: number) => Math.min(5000 * 3 ** tries, 15 * 60_000)

/** Tells what we have written from whatever else may stand in a visitor's storage. */
const isOurs = (each: unknown): each is Waiting => {
  const { record, keptAt, notBefore } = (each ?? {}) as Partial<Waiting>
  return record instanceof Object && typeof keptAt === 'number' && typeof notBefore === 'number'
}

function read(): Waiting[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(outboxKey) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isOurs) : []
  } catch {
    return []
  }
}

function write(waiting: readonly Waiting[]) {
  try {
    if (waiting.length > 0) localStorage.setItem(outboxKey, JSON.stringify(waiting))
    else localStorage.removeItem(outboxKey)
  } catch {
    // Without storage a message lives as long as its own attempt.
  }
  dispatchEvent(new Event(outboxChanged))
}

/** True while the message of a ticket waits. */
export const isWaiting = (ticketId: string) =>
  read().some(({ record }) => record['Ticket ID'] === ticketId)

/** Keeps a message before its first attempt, so that it survives the tab. */
export function keep(record: ContactRecord) {
  const now = Date.now()
  write([...read(), { record, keptAt: now, tries: 0, notBefore: now + ownAttempt }])
}

/** Forgets a message that is saved, or never will be. */
export function forget(ticketId: string) {
  write(read().filter(({ record }) => record['Ticket ID'] !== ticketId))
}

/** Puts another message, or another time, in the place of a waiting one. */
function replace(ticketId: string, by: (waiting: Waiting) => Waiting) {
  write(read().map((each) => (each.record['Ticket ID'] === ticketId ? by(each) : each)))
}

/** Gives a waiting message another number. @returns the message as it is now */
export function renumber(record: ContactRecord): ContactRecord {
  const changed = { ...record, 'Ticket ID': drawTicketId() }
  replace(record['Ticket ID'], (waiting) => ({ ...waiting, record: changed }))
  return changed
}

/** Says when a failed message may be tried again. */
export function postpone(ticketId: string, wait: number) {
  replace(ticketId, (each) => ({
    ...each,
    tries: each.tries + 1,
    notBefore: Date.now() + Math.max(wait, backoff(each.tries)),
  }))
}

/**
 * Sends what waits until nothing does: when its time has come, and whenever the browser gets
 * online. One tab at a time does it; the next takes over when that one closes.
 */
export async function sendWaiting(): Promise<void> {
  // Locks exist in secure contexts only; without them a repeat is harmless (design 1.2).
  if (navigator.locks) await navigator.locks.request(outboxKey, work)
  else await work()
}

async function work() {
  let cameOnline = false
  for (let waiting = read(); waiting.length > 0; waiting = read()) {
    const now = Date.now()
    const due = waiting.filter(({ notBefore }) => cameOnline || notBefore <= now)
    for (const { record, keptAt } of due) {
      if (now - keptAt > longest) forget(record['Ticket ID'])
      else await attempt(record)
    }
    const next = Math.min(...read().map(({ notBefore }) => notBefore))
    if (next === Infinity) return
    cameOnline = await pause(Math.max(next - Date.now(), 0))
  }
}

async function attempt(record: ContactRecord, clashes = 0): Promise<void> {
  const proof = await freshProof()
  const outcome = await save(record, proof && (await ripe(proof)))
  if (outcome.is === 'clash' && clashes < mostClashes) {
    return attempt(renumber(record), clashes + 1)
  }
  if (outcome.is === 'saved' || outcome.is === 'refused') forget(record['Ticket ID'])
  else postpone(record['Ticket ID'], outcome.is === 'failed' ? outcome.wait : 0)
}

/** Waits for a time, a change of the outbox or the network. @returns whether the network came back */
function pause(milliseconds: number): Promise<boolean> {
  return new Promise((resolve) => {
    const over = new AbortController()
    const wake = (online: boolean) => {
      over.abort()
      clearTimeout(timer)
      resolve(online)
    }
    const timer = setTimeout(wake, milliseconds, false)
    const { signal } = over
    addEventListener('online', () => wake(true), { signal })
    addEventListener(outboxChanged, () => wake(false), { signal })
    addEventListener('storage', ({ key }) => key === outboxKey && wake(false), { signal })
  })
}
