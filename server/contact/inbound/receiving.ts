import { minuteMs } from '#shared/dates/durations.ts'
import { helsinkiIso } from '#shared/dates/helsinki-time.ts'
import type { DoctorCheck, Platform } from '../../feature.ts'
import type { JobDefinition } from '../../jobs/job.ts'
import type { EmailPlace, InboundActs, Outcome } from './acts.ts'
import { maxEmailBytes, readEmail, readHeader, type Email } from './email.ts'
import { MailboxError, withMailbox, type EmailFacts, type Mailbox } from './mailbox.ts'
import type { InboundStore } from './store.ts'

/** The job that reads the mailbox. */
export const receiveKind = 'contact.receive'

/** Milliseconds of a run after which no further email is begun; the next run goes on. */
const runTime = minuteMs

/** Milliseconds after which a run ends whatever it does, however slowly a server drips its answers. */
const runTimeout = 3 * minuteMs

/** Unread emails that are looked at when a mailbox is opened for the first time: the newest. */
const firstLook = 500

/** Failed runs in a row after which it isn't a passing fault. */
const manyFailures = 3

type Deps = { acts: InboundActs; store: InboundStore }

/** The job that reads the mailbox of IMAP_URL every minute; none where there is none. */
export function receivingJobs(
  { config, clock, log }: Pick<Platform, 'config' | 'clock' | 'log'>,
  { acts, store }: Deps,
): JobDefinition[] {
  const { inbox } = config
  if (!inbox) return []
  return [
    {
      kind: receiveKind,
      about: 'reads replies to tickets and unsubscribing from the mailbox of IMAP_URL',
      waitsForTrustedClock: false,
      recurs: { everyMinutes: 1 },
      async run({ signal }) {
        const end = performance.now() + runTime
        const tooLong = AbortSignal.timeout(runTimeout)
        try {
          await withMailbox(inbox, { signal: AbortSignal.any([signal, tooLong]) }, (mailbox) =>
            receive(mailbox, { acts, store, clock, log, isTime: () => performance.now() < end }),
          )
        } catch (error) {
          // What was taken stays taken; a server that stops begins again with the next one.
          if (signal.aborted) return
          if (tooLong.aborted) throw new MailboxError('The server of IMAP_URL is too slow.')
          throw error
        }
      },
    },
  ]
}

/** Takes what is new in a mailbox, in the order in which it came. */
async function receive(
  mailbox: Mailbox,
  tools: Deps & Pick<Platform, 'clock' | 'log'> & { isTime: () => boolean },
): Promise<void> {
  const { acts, store, clock, isTime } = tools
  await settle(mailbox, tools)
  const passed = store.passedUid(mailbox.id)
  const unread = await mailbox.unread({ after: passed ?? 0 })
  const isNew = passed === null
  for (const uid of isNew ? unread.slice(-firstLook) : unread) {
    if (!isTime()) return
    const facts = await mailbox.facts(uid)
    if (facts) {
      const place = { mailbox: mailbox.id, uid, receivedAt: facts.receivedAt ?? clock() }
      const outcome = await take(mailbox, { facts, place }, tools)
      if (outcome !== 'waiting' && outcome !== 'left') await mailbox.markRead(uid)
    }
    // Only now: one that was taken and not marked is taken up again, and is the same answer.
    await acts.pass(mailbox.id, uid)
  }
  if (isNew && unread.length === 0) await acts.pass(mailbox.id, 0)
}

/** Forgets emails that waited for staff and were read in the mailbox meanwhile. */
async function settle(mailbox: Mailbox, { acts, store }: Deps): Promise<void> {
  const waiting = store.waitingIn(mailbox.id)
  if (store.waitingCount() === 0) return
  const unread = new Set(await mailbox.unread({ among: waiting.map(({ uid }) => uid) }))
  const read = waiting.filter(({ uid }) => !unread.has(uid)).map(({ id }) => id)
  if (read.length > 0 || waiting.length < store.waitingCount()) await acts.settle(mailbox.id, read)
}

/** Reads an email as far as its size allows, and does what is to be done with it. */
async function take(
  mailbox: Mailbox,
  { facts: { uid, bytes }, place }: { facts: EmailFacts; place: EmailPlace },
  { acts, log }: { acts: InboundActs; log: Platform['log'] },
): Promise<Outcome> {
  /** The header alone; null where not even that can be read. */
  const header = async () => {
    const fields = await mailbox.headers(uid)
    return fields && readHeader(fields).catch(() => null)
  }
  if (bytes > maxEmailBytes) {
    const read = await header()
    return read ? acts.tellOfLarge(read, place) : acts.tellOfUnreadable(null, place)
  }
  const source = await mailbox.read(uid, maxEmailBytes)
  if (!source) return 'left'
  let email: Email
  try {
    email = await readEmail(source)
  } catch (error) {
    // This fails where the connection broke, which is no fault of the email.
    const read = await header()
    log.warn({ err: error, uid }, 'email not understood')
    return acts.tellOfUnreadable(read, place)
  }
  return acts.take(email, place)
}

/** What `doctor` and `/api/health` say of the mailbox. */
export function receivingChecks(
  { config, jobs }: Pick<Platform, 'config' | 'jobs'>,
  store: Pick<InboundStore, 'waitingCount'>,
): { doctor: DoctorCheck; health: () => Readonly<Record<string, string>> } {
  const job = () => jobs.find(receiveKind, '')
  return {
    doctor: {
      check: 'inbound email',
      look() {
        if (!config.inbox) {
          return { state: 'ok', text: 'IMAP_URL isn’t set: email replies stay in your mailbox' }
        }
        const { lastError = null, lastSuccessAt = null, attempts = 0 } = job() ?? {}
        const last = lastSuccessAt === null ? 'never' : helsinkiIso(lastSuccessAt)
        if (lastError !== null) {
          const state = attempts >= manyFailures ? 'fail' : 'warn'
          return { state, text: `${lastError} Last read: ${last}` }
        }
        if (lastSuccessAt === null) {
          return { state: 'warn', text: 'not read yet: is the server running?' }
        }
        const waiting = store.waitingCount()
        return { state: 'ok', text: `read ${last}${waiting > 0 ? `, ${waiting} waiting` : ''}` }
      },
    },
    health(): Record<string, string> {
      if (!config.inbox) return {}
      const { lastError = null, attempts = 0 } = job() ?? {}
      return { inbox: lastError !== null && attempts >= manyFailures ? 'failing' : 'ok' }
    },
  }
}
