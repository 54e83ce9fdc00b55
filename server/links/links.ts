import type { Logger } from 'pino'
import { failure } from '#shared/failures.ts'
import { longestNote, stateOf, utmNames, type Utm } from '#shared/link-rules.ts'
import type { Config } from '../config.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'
import { randomId, readableSmall } from '../ids.ts'
import { waitAtMost } from '../timeout.ts'
import { createLinkCounts } from './counts.ts'
import { createLinkStore, type Link, type NewLink } from './store.ts'
import { codeProblem, normalTarget, targetProblem } from './targets.ts'

/** The fields of a new link; what is left out has its default. */
export type LinkFields = { target: string; code?: string } & Partial<
  Pick<
    NewLink,
    'note' | 'startsAt' | 'expiresAt' | 'maxClicks' | 'forwardQuery' | 'utm' | 'clientId'
  >
>

/** The fields to change; null clears. */
export type LinkChanges = Partial<Omit<LinkFields, 'code'>> & { disabled?: boolean }

/** Milliseconds that a reader of counts waits for those that are not saved yet. */
const countsTimeout = 100

const drawCode = () => randomId(6, readableSmall)

/** The short links with their rules and counts; what the rest of the site reaches. */
export type Links = ReturnType<typeof createLinks>

/**
 * Puts links together.
 * @param config for the public origin; targets that are short links there are refused
 * @param reservedPaths words that no code may be
 */
export function createLinks({
  db,
  clock,
  log,
  config,
  reservedPaths,
}: {
  db: Database
  clock: () => number
  log: Logger
  config: Pick<Config, 'siteUrl'>
  reservedPaths: () => ReadonlySet<string>
}) {
  const store = createLinkStore(db)
  const counts = createLinkCounts(db, {
    clock,
    onError: (err) => log.warn({ err }, 'clicks not saved'),
  })
  let hosts: readonly string[] | null = null
  const ownHosts = () => (hosts ??= [new URL(config.siteUrl).host])
  let edits = 0

  /** @throws invalid with the field that is wrong */
  const checked = (link: NewLink): NewLink => {
    const problem = targetProblem(link.target, ownHosts())
    if (problem) throw failure('invalid', { errors: { target: problem } })
    const { startsAt, expiresAt, note } = link
    if (note.length > longestNote) {
      throw failure('invalid', { errors: { note: `At most ${longestNote} characters.` } })
    }
    if (startsAt !== null && expiresAt !== null && startsAt >= expiresAt) {
      throw failure('invalid', { errors: { expiresAt: 'The end must be after the start.' } })
    }
    return { ...link, target: normalTarget(link.target), utm: withoutEmpty(link.utm) }
  }

  /**
   * Writes counts down before they are shown. It does not wait for a database that another process
   * holds: what is shown then lacks the last clicks.
   */
  const settleCounts = (): Promise<void> => waitAtMost(counts.flush(), countsTimeout)

  return {
    /** Hosts, with their port, that are this site. */
    ownHosts,
    /** Counts the changes of this process. */
    edits: () => edits,
    version: store.version,
    find: store.find,
    spend: store.spend,
    async list(
      search: Parameters<typeof store.search>[0],
      from: number,
      most: number,
    ): ReturnType<typeof store.search> {
      await settleCounts()
      const all = search.text === '' && search.state === null
      return all ? store.newest(from, most) : store.search(search, from, most, clock())
    },
    ofClient: store.ofClient,
    all: store.all,
    expiredBefore: store.expiredBefore,
    count: counts.count,
    countsSince: counts.since,
    flush: counts.flush,
    settleCounts,
    forgetOld: counts.forgetOld,
    state: (link: Link) => stateOf(link, clock()),
    /** The short address of a link. */
    addressOf: ({ code }: Pick<Link, 'code'>) => `${config.siteUrl}/l/${code}`,

    /**
     * Makes a link; belongs into a transaction.
     * @throws invalid with messages by field; clash when the chosen code is taken
     */
    create(tx: Transaction, { target, code, ...fields }: LinkFields, author: string): Link {
      const chosen = code === undefined || code === '' ? null : code
      const problem = chosen === null ? null : codeProblem(chosen, reservedPaths())
      if (problem) throw failure('invalid', { errors: { code: problem } })
      const link = checked({
        code: '',
        target: target.trim(),
        note: fields.note ?? '',
        clientId: fields.clientId ?? null,
        author,
        createdAt: clock(),
        startsAt: fields.startsAt ?? null,
        expiresAt: fields.expiresAt ?? null,
        maxClicks: fields.maxClicks ?? null,
        disabledAt: null,
        forwardQuery: fields.forwardQuery ?? false,
        utm: fields.utm ?? null,
      })
      for (let tries = 0; tries < 5; tries += 1) {
        const made = store.insert(tx, { ...link, code: chosen ?? drawCode() })
        if (made) return made
        if (chosen !== null) break
      }
      throw failure('clash', {
        message: 'This code is in use already.',
        errors: { code: 'This code is in use already.' },
      })
    },

    /**
     * Changes a link; belongs into a transaction.
     * @throws missing; invalid with messages by field
     */
    edit(tx: Transaction, code: string, { disabled, ...changes }: LinkChanges): Link {
      const link = store.find(code)
      if (!link) throw failure('missing', { message: 'There is no such link.' })
      const given = Object.fromEntries(
        Object.entries(changes).filter(([, value]) => value !== undefined),
      )
      const wanted = checked({ ...link, ...given })
      const disabledAt =
        disabled === undefined ? link.disabledAt : disabled ? (link.disabledAt ?? clock()) : null
      store.update(tx, { ...link, ...wanted, disabledAt })
      edits += 1
      return store.findId(link.id)!
    },

    /** Removes links that expired before a moment. @returns how many */
    purge(tx: Transaction, before: number): number {
      edits += 1
      return store.purge(tx, before)
    },
  }
}

/** UTM values that are there, or null. */
function withoutEmpty(utm: Utm | null): Utm | null {
  const kept = utmNames.flatMap((name) => (utm?.[name] ? [[name, utm[name]] as const] : []))
  return kept.length > 0 ? Object.fromEntries(kept) : null
}
