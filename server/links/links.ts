import type { Logger } from 'pino'
import { stateOf } from '#shared/link-rules.ts'
import type { SiteClock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/open.ts'
import { waitAtMost } from '../concurrency/timeout.ts'
import { createLinkCounts } from './counts.ts'
import { createLinkEditing } from './link-editing.ts'
import type { Link } from './schema.ts'
import { createLinkSearch, createLinkStore, type LinkSearch } from './store.ts'

/** Milliseconds that a reader of counts waits for those that are not saved yet. */
const countsTimeout = 100

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
  siteClock,
  log,
  config,
  reservedPaths,
}: {
  db: Database
  clock: () => number
  siteClock: Pick<SiteClock, 'doubt'>
  log: Logger
  config: Pick<Config, 'siteUrl'>
  reservedPaths: () => ReadonlySet<string>
}) {
  const store = createLinkStore(db)
  const search = createLinkSearch(db, store)
  const counts = createLinkCounts(db, {
    clock,
    onError: (err) => log.warn({ err }, 'clicks not saved'),
  })
  let hosts: readonly string[] | null = null
  const ownHosts = () => (hosts ??= [new URL(config.siteUrl).host])
  const editing = createLinkEditing({ store, clock, siteClock, ownHosts, reservedPaths })

  /**
   * Writes counts down before they are shown. It does not wait for a database that another process
   * holds: what is shown then lacks the last clicks.
   */
  const settleCounts = (): Promise<void> => waitAtMost(counts.flush(), countsTimeout)

  return {
    /** Hosts, with their port, that are this site. */
    ownHosts,
    ...editing,
    version: store.version,
    find: store.find,
    spend: store.spend,
    async list(wanted: LinkSearch, from: number, max: number): ReturnType<typeof search> {
      await settleCounts()
      const { text, state, tag, since } = wanted
      const all = text === '' && state === null && !tag && since === undefined
      return all ? store.newest(from, max) : search(wanted, from, max, clock())
    },
    /** Links newest first, without waiting for the last clicks. */
    newest: store.newest,
    ofClient: store.ofClient,
    all: store.all,
    tags: store.tags,
    dead: (max: number) => store.dead(clock(), max),
    deadCount: () => store.deadCount(clock()),
    dueForCheck: store.dueForCheck,
    noteCheck: store.noteCheck,
    mentioning: store.mentioning,
    redact: store.redact,
    recent: counts.recent,
    expiredBefore: store.expiredBefore,
    count: counts.count,
    countsSince: counts.since,
    flush: counts.flush,
    settleCounts,
    forgetOld: counts.forgetOld,
    state: (link: Link) => stateOf(link, clock()),
    /** The short address of a link. */
    addressOf: ({ code }: Pick<Link, 'code'>) => `${config.siteUrl}/l/${code}`,
  }
}
