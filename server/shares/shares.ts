import { addWorkingDays, dateAt, instantAt, isWorkingDay } from '#shared/dates/civil-dates.ts'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Logger } from 'pino'
import * as z from 'zod'
import { dayMs, hourMs } from '#shared/dates/durations.ts'
import { failure } from '#shared/failures.ts'
import type { Config } from '../config.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'
import { integer, query } from '../db/table.ts'
import { clientNetwork } from '../http/connections/client-address.ts'
import { mailboxOf } from '../mail/recipient.ts'
import type { MailStore } from '../mail/store.ts'
import type { Keys } from '../secrets/secret-key.ts'
import { createLastGoodFile, readSettings } from '../content/files/last-good-file.ts'
import { createSignedTokens } from '../secrets/tokens.ts'
import { createClaimStore, type Sender } from './claims.ts'
import type { Claim, Parked } from './schema.ts'
import { sharesFile, shareSchema, defaultShares, type ShareSettings } from './settings.ts'

/**
 * A limit that was reached, and what lifts it: the link in an email to the sender's mailbox for a share
 * in all, staff for the limits of a mailbox or network.
 */
export type Reached = { parked: 'link' | 'staff'; limit: string }

/** What the alarm email about a limit is written from; what goes beyond it waits, or is refused. */
export type LimitAlarm = { noun: string; limit: string; isRefused?: boolean | undefined }

/** The kind of that email. */
export const limitAlarmKind = 'limitAlarm'

/** What strangers may hold, number or cause, whatever proof they show. */
export type Shares = ReturnType<typeof createShares>

/** Reads the settings of the shares; part of the platform before there are emails. */
export const createShareSettings = ({
  config,
  log,
}: {
  config: Pick<Config, 'contentDir' | 'dataDir'>
  log: Logger
}) =>
  createLastGoodFile<ShareSettings>({
    file: join(config.contentDir, sharesFile),
    dataDir: config.dataDir,
    missing: defaultShares,
    read: (text) => readSettings(shareSchema, text),
    log,
  })

/**
 * Makes the shares (docs/decisions/0033-shares.md): the counting of what strangers claim, by mailbox
 * and network, in rows of the database. Features ask here within the transaction that takes a request,
 * so of two requests for the last place of a share one waits.
 */
export function createShares({
  db,
  keys,
  clock,
  config,
  log,
  mails,
  settings,
}: {
  db: Database
  keys: Keys
  clock: () => number
  config: Pick<Config, 'shares' | 'mail'>
  log: Logger
  mails: Pick<MailStore, 'enqueue' | 'queuedTo'>
  settings: ReturnType<typeof createShareSettings>
}) {
  const claims = createClaimStore(db, clock)
  // One from while the clock was ahead keeps none back once it has been put right.
  const alarm = db.prepareWrite(
    `INSERT INTO limit_alarms VALUES (:noun, :now)
     ON CONFLICT (noun) DO UPDATE SET at = :now WHERE abs(:now - at) >= ${hourMs}`,
  )
  const alarmed = query(db, 'SELECT at FROM limit_alarms WHERE noun = :noun', { at: integer() })
  const links = createSignedTokens({
    keys,
    clock,
    purpose: 'claim',
    schema: z.tuple([z.string(), z.string()]),
  })
  const isOn = config.shares
  const alarmOf = (tx: Transaction, { noun, limit, isRefused }: LimitAlarm): void => {
    const now = clock()
    if (alarm.run(tx, { noun, now }).changes === 0) return
    log.warn({ event: 'shares.reached', noun, limit }, 'limit reached')
    const dueAt = config.mail.everyDay ? now : nextWorkingTime(now)
    mails.enqueue(tx, limitAlarmKind, {
      // Those of a weekend are one email.
      key: `limit-${noun}-${dueAt}`,
      dueAt,
      data: { noun, limit, isRefused } satisfies LimitAlarm,
    })
  }
  const reached = (tx: Transaction, noun: string, limit: string): void =>
    alarmOf(tx, { noun, limit })
  /** The same for a request that is refused: its own transaction is undone. */
  const refused = (noun: string, limit: string): void => {
    // A flood of refusals must not become a flood of writes.
    if (Math.abs(clock() - (alarmed.get({ noun })?.at ?? -Infinity)) < hourMs) return
    void db
      .commit((tx) => alarmOf(tx, { noun, limit, isRefused: true }))
      .catch((err: unknown) => log.error({ err, noun }, 'limit alarm not queued'))
  }
  const mailboxHash = (email: string) => keys.hash('mailbox', mailboxOf(email)).slice(0, 22)

  return {
    /** False only where SHARES=off: then nothing is limited. */
    isOn,
    /** The numbers in force. */
    settings: settings.inForce,
    /** What `doctor` says of their file. */
    lookAtSettings: settings.check(sharesFile, () => ({ state: 'ok', text: 'in force' })).look,
    claims,

    /** Who sends a request: the mailbox it names, however spelt, and its network (IPv4 /24, IPv6 /48). */
    sender: ({ email, address }: { email: string; address: string }): Sender => ({
      mailbox: mailboxHash(email),
      network: keys.hash('share-network', clientNetwork(address)).slice(0, 22),
    }),

    /** Whether a mailbox may get one more email of a kind today that a visitor causes. */
    mayMail: (email: string, kind: string): boolean =>
      !isOn || mails.queuedTo(email, kind, clock() - dayMs) < settings.inForce().mails.mailbox,

    /**
     * Checks that there is room to keep a thing that holds nothing.
     * @param bytes that it takes
     * @throws too-large for one thing that is too long; too-many when a network, or all together,
     *   have left as much as we keep in a day
     */
    checkRoom(noun: string, { network }: Sender, bytes: number): void {
      if (!isOn) return
      const { bytesEach, network: ofNetwork, inAll } = settings.inForce().parked
      if (bytes > bytesEach) {
        throw failure('too-large', { message: 'Please write a shorter message, or email us.' })
      }
      const after = clock() - dayMs
      const isFull = (kept: string | null, max: { rows: number; bytes: number }) => {
        const { things, bytes: sum } = claims.parkedSince(noun, kept, after)
        return things >= max.rows || sum + bytes > max.bytes
      }
      if (isFull(network, ofNetwork) || isFull(null, inAll)) {
        refused(noun, 'requests a day kept without holding anything')
        throw failure('too-many', {
          message: 'We have too many unanswered requests. Please try again later, or email us.',
          retryAfter: hourMs / 1000,
        })
      }
    },

    /**
     * Writes down what someone claims. Call inside the transaction that keeps it.
     * @param claim `units` are days or pieces; what is parked for a link gets one
     */
    claim(
      tx: Transaction,
      noun: string,
      thing: string,
      sender: Sender,
      {
        units = 0,
        bytes = 0,
        parked = null,
      }: { units?: number; bytes?: number; parked?: Parked | null } = {},
    ): Claim {
      const now = clock()
      const waits = parked === 'link' || parked === 'staff'
      return claims.insert(tx, {
        ...sender,
        noun,
        thing,
        units,
        bytes,
        at: now,
        parked,
        until: waits ? now + settings.inForce().waitingHours * hourMs : null,
        secret: waits ? randomBytes(16).toString('base64url') : null,
      })
    },

    /** The claim of a thing that waits for its link or for staff; null for all others. */
    waiting(noun: string, thing: string): (Claim & { until: number }) | null {
      const claim = claims.find(noun, thing)
      const waits = claim?.parked === 'link' || claim?.parked === 'staff'
      return waits && claim.until !== null ? { ...claim, until: claim.until } : null
    },

    /** The token of the link that goes to the mailbox of a claim. */
    linkToken: ({ noun, secret }: Claim): string => links.issue([noun, secret!], null),
    /** The claim of such a token. @throws missing for every other text */
    ofLink(noun: string, token: string): Claim {
      const [of, secret] = links.read(token)?.payload ?? []
      const claim = of === noun && secret !== undefined ? claims.ofSecret(noun, secret) : null
      if (!claim) throw failure('missing')
      return claim
    },

    /** Notes that a thing holds from now on. Call inside the transaction that lets it. */
    release: (tx: Transaction, claim: Claim, { isProven = false } = {}): void =>
      claims.change(tx, claim, { parked: null, ...(isProven && { provenAt: clock() }) }),

    /**
     * Tells staff that a limit was reached; one email an hour for each noun. Call inside the transaction
     * of what reached it.
     */
    reached,
    /** Tells them so of a request that is refused, whose own transaction is undone. */
    refused,

    /** Other things of the same network or mailbox, itself included; none for one without a claim. */
    like(noun: string, thing: string): string[] {
      const claim = claims.find(noun, thing)
      return claim ? claims.like(claim) : []
    },

    /** What is known of a mailbox here. */
    about: (email: string): Claim[] => claims.ofMailbox(mailboxHash(email)),
    /** Erases it. Call inside a transaction. @returns how many */
    erase: (tx: Transaction, email: string): number => claims.erase(tx, mailboxHash(email)),
  }
}

/** Now, if it's a working day, else 08:00 on the next one. */
function nextWorkingTime(now: number): number {
  const today = dateAt(now)
  return isWorkingDay(today) ? now : instantAt(addWorkingDays(today, 1), '08:00')!
}
