import type { ContactRecord } from '#shared/contact.ts'
import { outboxKey } from './outbox-key.ts'
import { api } from '../api.ts'
import { onStored, storedValue, storeValues } from '../site/stored-value.ts'
import { newSum, ripe } from '../site/sum.ts'
import { save } from './save.ts'
import { drawTicketId } from './ticket-id.ts'
import {
  deliveryOf,
  parseUnsent,
  postponed,
  sendable,
  withChange,
  withMessage,
  withoutMessage,
  withoutOld,
  type Refusal,
  type Unsent,
} from './unsent.ts'

const mostClashes = 3

/** The outbox of a browser whose storage is closed or full: it lives as long as the page. */
let inMemory: string | null = null

const read = () => parseUnsent(inMemory ?? storedValue(outboxKey))

function write(list: readonly Unsent[]) {
  const text = JSON.stringify(list)
  inMemory = text
  if (storeValues({ [outboxKey]: list.length > 0 ? text : null })) inMemory = null
}

/**
 * Calls back whenever the outbox may have changed, here or in another tab.
 * @returns what ends it
 */
export const onOutbox = (listener: () => void): (() => void) => onStored([outboxKey], listener)

/** Where the message of a ticket stands; null when it is no longer here. */
export const delivery = (ticketId: string) => deliveryOf(read(), ticketId)

/** A refused message that waits for its writer: the one of a ticket, or the oldest. */
export const refusedMessage = (ticketId?: string): Unsent | undefined =>
  read().find(({ refused, record }) => refused && (!ticketId || record['Ticket ID'] === ticketId))

/** Keeps a message before its first attempt, so that it survives the tab. */
export const keep = (record: ContactRecord) => write(withMessage(read(), record, Date.now()))

/** Forgets a message that is saved, or that its writer has replaced. */
export const forget = (ticketId: string) => write(withoutMessage(read(), ticketId))

/** Keeps a message that the server refused for its writer. */
export const refuse = (ticketId: string, refused: Refusal) =>
  write(withChange(read(), ticketId, (each) => ({ ...each, refused })))

/** Gives a waiting message another number. @returns the message as it is now */
export function renumber(record: ContactRecord): ContactRecord {
  const changed = { ...record, 'Ticket ID': drawTicketId() }
  write(withChange(read(), record['Ticket ID'], (each) => ({ ...each, record: changed })))
  return changed
}

/** Says when a failed message may be tried again. @param wait milliseconds at least */
export const postpone = (ticketId: string, wait: number) =>
  write(withChange(read(), ticketId, (each) => postponed(each, Date.now(), wait)))

/**
 * Sends what waits until nothing does: when its time has come, and whenever the browser gets
 * online. One tab at a time does it; the next takes over when that one closes.
 */
export async function sendWaiting(): Promise<void> {
  // Locks exist in secure contexts only; without them a repeat is harmless, since a ticket id with
  // the same content is the same ticket.
  if (navigator.locks) await navigator.locks.request(outboxKey, work)
  else await work()
}

async function work() {
  let cameOnline = false
  for (;;) {
    const kept = read()
    const current = withoutOld(kept, Date.now())
    if (current.length < kept.length) write(current)
    const waiting = sendable(current)
    for (const { record, notBefore } of waiting) {
      if (cameOnline || notBefore <= Date.now()) await attempt(record)
    }
    const next = Math.min(...sendable(read()).map(({ notBefore }) => notBefore))
    if (next === Infinity) return
    cameOnline = await pause(Math.max(next - Date.now(), 0))
  }
}

async function attempt(record: ContactRecord, clashes = 0): Promise<void> {
  const sum = await newSum(api)
  const proof = sum && (await ripe({ ...sum, cameAt: Date.now() }, sum.x + sum.y))
  const outcome = await save(record, proof)
  const ticketId = record['Ticket ID']
  if (outcome.is === 'clash' && clashes < mostClashes) {
    return attempt(renumber(record), clashes + 1)
  }
  if (outcome.is === 'saved') forget(ticketId)
  else if (outcome.is === 'refused') refuse(ticketId, outcome.refusal)
  else postpone(ticketId, outcome.is === 'failed' ? outcome.wait : 0)
}

/** Waits for a time, a change of the outbox or the network. @returns whether the network came back */
function pause(milliseconds: number): Promise<boolean> {
  return new Promise((resolve) => {
    const wake = (online: boolean) => {
      clearTimeout(timer)
      stopListening()
      removeEventListener('online', cameOnline)
      resolve(online)
    }
    const cameOnline = () => wake(true)
    const timer = setTimeout(wake, milliseconds, false)
    const stopListening = onOutbox(() => wake(false))
    addEventListener('online', cameOnline)
  })
}
