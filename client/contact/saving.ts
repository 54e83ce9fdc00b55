import {
  contactFieldOf,
  contactFields,
  messageIn,
  saveContactForm,
  type ContactField,
  type ContactRecord,
} from '#shared/contact/contact.ts'
import { contactLimits } from '#shared/contact/contact-form.ts'
import { api, ApiError, send } from '../api.ts'
import { newSum, waitUntilProofIsValid } from '../forms/sum.ts'
import { logError } from '../site/log.ts'
import { tokenHeaders } from '../site/security-token.ts'
import { onStored, storedValue, storeValues } from '../site/stored-value.ts'
import { unsentKey } from './has-unsent.ts'

/** Why the server refused a message. */
export type Refusal = {
  /** What is wrong, by field; empty where no field is to blame. */
  errors: Partial<Record<ContactField, string>>
}

/**
 * Outcome of a save: `saved`; `duplicate` if another ticket has the ID; `refused` for good, and why; or
 * `failed`, to be retried after at least `wait` milliseconds.
 */
export type Outcome =
  | { is: 'saved' | 'duplicate' }
  | { is: 'refused'; refusal: Refusal }
  | { is: 'failed'; wait: number }

/** Max new IDs drawn for a message when one is taken. */
export const maxDuplicates = 3

/** Statuses that won't change however often the message is sent. */
const final = new Set([400, 413, 415])

/**
 * Saves a message once; errors are logged, never thrown.
 * @param proof the header X-Form-Proof, if there is one; it must be old enough, see `proofOf`
 */
export async function save(record: ContactRecord, proof: string | null): Promise<Outcome> {
  try {
    await send(saveContactForm, record, {
      ...tokenHeaders(),
      ...(proof && { 'X-Form-Proof': proof }),
    })
    return { is: 'saved' }
  } catch (error) {
    if (!(error instanceof ApiError)) {
      logError(error)
      return { is: 'failed', wait: 0 }
    }
    logError(`HTTP error! status: ${error.status}`)
    if (error.status === 409) return { is: 'duplicate' }
    if (final.has(error.status)) return { is: 'refused', refusal: refusalIn(error) }
    return { is: 'failed', wait: (error.body?.retryAfter ?? 0) * 1000 }
  }
}

/** What a refusal says of the fields of the form. */
function refusalIn({ status, body }: Pick<ApiError, 'status' | 'body'>): Refusal {
  const errors: Refusal['errors'] = {}
  for (const [key, message] of Object.entries(body?.errors ?? {})) {
    const field = contactFields.find((name) => name === contactFieldOf(key))
    if (field && typeof message === 'string') errors[field] = message
  }
  if (status === 413) errors.message ??= 'Your message is too long. Please shorten it.'
  return { errors }
}

const characters = 'abcdefghijklmnopqrstuvwxyz0123456789'
/** Bytes from here on are rejected: they would favour the first characters. */
const fair = 256 - (256 % characters.length)

/** A random ticket id: every one is equally likely. */
export function drawTicketId(): string {
  let id = ''
  while (id.length < contactLimits.ticketIdLength) {
    const [byte = fair] = crypto.getRandomValues(new Uint8Array(1))
    if (byte < fair) id += characters[byte % characters.length]
  }
  return id
}

/** A message that is not known to be saved; times in milliseconds of the epoch. */
export type Unsent = {
  record: ContactRecord
  keptAt: number
  tries: number
  notBefore: number
  /** Set when a retry is pointless: it waits for its writer. */
  refused?: Refusal
}

/** The delivery state of a message that the server does not have. */
export type Delivery = 'waiting' | 'refused'

/** Milliseconds after which an unsent message is given up. */
const maxKeptMs = 72 * 3_600_000
/** Milliseconds reserved for the form's own attempt before a retry. */
const ownAttempt = 20_000

const backoff = (tries: number) => Math.min(5000 * 3 ** tries, 15 * 60_000)

/** The messages in a stored text; whatever else may be in a visitor's storage is left out. */
export function parseUnsent(stored: string | null): Unsent[] {
  try {
    const value: unknown = JSON.parse(stored ?? '[]')
    return Array.isArray(value) ? value.filter(isOurs) : []
  } catch {
    return []
  }
}

function isOurs(each: unknown): each is Unsent {
  const { record, keptAt, tries, notBefore } = (each ?? {}) as Partial<Unsent>
  if (!(record instanceof Object)) return false
  const message = messageIn(record)
  return (
    typeof record['Ticket ID'] === 'string' &&
    contactFields.every((field) => typeof message[field] === 'string') &&
    [keptAt, tries, notBefore].every((number) => typeof number === 'number')
  )
}

/** The list with a new message, whose own attempt is about to begin. */
export const withMessage = (
  list: readonly Unsent[],
  record: ContactRecord,
  now: number,
): Unsent[] => [...list, { record, keptAt: now, tries: 0, notBefore: now + ownAttempt }]

/** The list without a message. */
export const withoutMessage = (list: readonly Unsent[], ticketId: string): Unsent[] =>
  list.filter(({ record }) => record['Ticket ID'] !== ticketId)

/** The list without messages that were kept for too long. */
export const withoutOld = (list: readonly Unsent[], now: number): Unsent[] =>
  list.filter(({ keptAt }) => now - keptAt <= maxKeptMs)

/** The list with one message changed. */
export const withChange = (
  list: readonly Unsent[],
  ticketId: string,
  change: (message: Unsent) => Unsent,
): Unsent[] => list.map((each) => (each.record['Ticket ID'] === ticketId ? change(each) : each))

/**
 * A message after an attempt that failed.
 * @param wait milliseconds that the server asked for
 */
export const postponed = (message: Unsent, now: number, wait: number): Unsent => ({
  ...message,
  tries: message.tries + 1,
  notBefore: now + Math.max(wait, backoff(message.tries)),
})

/** The messages that may be sent again by themselves. */
export const sendable = (list: readonly Unsent[]): Unsent[] =>
  list.filter(({ refused }) => !refused)

/** The delivery state of a ticket’s message; null when it is no longer with us. */
export function deliveryOf(list: readonly Unsent[], ticketId: string): Delivery | null {
  const found = list.find(({ record }) => record['Ticket ID'] === ticketId)
  if (!found) return null
  return found.refused ? 'refused' : 'waiting'
}

/** Messages kept in memory where storage is unavailable or full: they live as long as the page. */
let inMemory: string | null = null

const read = () => parseUnsent(inMemory ?? storedValue(unsentKey))

function write(list: readonly Unsent[]) {
  const text = JSON.stringify(list)
  inMemory = text
  if (storeValues({ [unsentKey]: list.length > 0 ? text : null })) inMemory = null
}

/**
 * Calls back whenever they may have changed, here or in another tab.
 * @returns what ends it
 */
export const onUnsent = (listener: () => void): (() => void) => onStored([unsentKey], listener)

/** The delivery state of a ticket’s message; null when it is no longer here. */
export const delivery = (ticketId: string) => deliveryOf(read(), ticketId)

/** A refused message waiting for its writer: that of a ticket, or the oldest. */
export const refusedMessage = (ticketId?: string): Unsent | undefined =>
  read().find(({ refused, record }) => refused && (!ticketId || record['Ticket ID'] === ticketId))

/** Keeps a message before its first attempt, so it survives the tab. */
export const keep = (record: ContactRecord) => write(withMessage(read(), record, Date.now()))

/** Forgets a message that is saved, or that its writer has replaced. */
export const forget = (ticketId: string) => write(withoutMessage(read(), ticketId))

/** Keeps a message that the server refused for its writer. */
export const refuse = (ticketId: string, refused: Refusal) =>
  write(withChange(read(), ticketId, (each) => ({ ...each, refused })))

/** Gives a waiting message a new ID. @returns the updated message */
export function renumber(record: ContactRecord): ContactRecord {
  const changed = { ...record, 'Ticket ID': drawTicketId() }
  write(withChange(read(), record['Ticket ID'], (each) => ({ ...each, record: changed })))
  return changed
}

/** Schedules the next try of a failed message. @param wait milliseconds at least */
export const postpone = (ticketId: string, wait: number) =>
  write(withChange(read(), ticketId, (each) => postponed(each, Date.now(), wait)))

/**
 * Sends waiting messages until none is left: each when it's due, and all when the browser comes online.
 * One tab at a time does this; another takes over when it closes.
 */
export async function sendWaiting(): Promise<void> {
  // Locks exist in secure contexts only; without them a repeat is harmless, since a ticket id with
  // the same content is the same ticket.
  if (navigator.locks) await navigator.locks.request(unsentKey, work)
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

async function attempt(record: ContactRecord, duplicates = 0): Promise<void> {
  const sum = await newSum(api)
  const proof = sum && (await waitUntilProofIsValid({ ...sum, cameAt: Date.now() }, sum.x + sum.y))
  const outcome = await save(record, proof)
  const ticketId = record['Ticket ID']
  if (outcome.is === 'duplicate' && duplicates < maxDuplicates) {
    return attempt(renumber(record), duplicates + 1)
  }
  if (outcome.is === 'saved') forget(ticketId)
  else if (outcome.is === 'refused') refuse(ticketId, outcome.refusal)
  else postpone(ticketId, outcome.is === 'failed' ? outcome.wait : 0)
}

/** Waits for a time, a change of the messages or the network. @returns whether the network came back */
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
    const stopListening = onUnsent(() => wake(false))
    addEventListener('online', cameOnline)
  })
}
