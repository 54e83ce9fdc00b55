import { setTimeout as pause } from 'node:timers/promises'
import { dayMs, hourMs } from '#shared/dates/durations.ts'
import type { Finding, Platform } from '../feature.ts'
import type { Links } from './links.ts'
import type { Link } from './schema.ts'
import { checkTarget } from './target-check.ts'
import { hostOf, targetProblem } from './targets.ts'

/** How often a target is asked that answers, in milliseconds. */
const everyMs = 7 * dayMs
/** And one that failed: before the same hour of the next day, so that a daily job finds it due. */
const failingEveryMs = 20 * hourMs

/** Links that one run looks at, those longest not asked first. */
const maxOfRun = 200
/** Addresses of one host that one run asks. */
const maxOfHost = 20
/** Milliseconds between two addresses. */
const gapMs = 250
/** Milliseconds after which a run leaves the rest to the next one. */
const maxRunMs = 8 * 60_000

/** Links named in a warning. */
const maxNamed = 5

/** What a check of a link's target said. */
export type CheckedLink = { link: Link; problem: string | null; isKnown: boolean }

/** Asks, now and then, whether the targets of links still answer. */
export function createTargetChecks(
  { clock, commit }: Pick<Platform, 'clock' | 'commit'>,
  links: Links,
) {
  /** Asks one address for all links that lead there, and notes what it said. */
  const check = async (same: readonly Link[], signal?: AbortSignal): Promise<CheckedLink[]> => {
    const { target } = same[0]!
    const isAsked = targetProblem(target, links.ownHosts()) === null
    const found = isAsked
      ? await checkTarget(target, signal && { signal })
      : { state: 'unknown' as const }
    if (signal?.aborted) return []
    const problem = found.state === 'failed' ? found.problem : null
    await commit((tx) => {
      for (const link of same) {
        links.noteCheck(tx, link, {
          checkedAt: clock(),
          // What can't be said leaves what was known as it is.
          failures: found.state === 'unknown' ? link.failures : problem ? link.failures + 1 : 0,
          problem: found.state === 'unknown' ? link.problem : problem,
        })
      }
    })
    return same.map((link) => ({ link, problem, isKnown: found.state !== 'unknown' }))
  }

  return {
    /** Checks the targets of some links now, one after the other. */
    async check(chosen: readonly Link[]): Promise<CheckedLink[]> {
      const checked: CheckedLink[] = []
      for (const link of chosen) checked.push(...(await check([link])))
      return checked
    },

    /** Checks the targets that are due, politely: one at a time, and few of each host. */
    async checkDue(signal: AbortSignal): Promise<void> {
      const now = clock()
      const began = performance.now()
      const due = links.dueForCheck(
        { now, before: now - everyMs, failingBefore: now - failingEveryMs },
        maxOfRun,
      )
      const asked = new Map<string, number>()
      for (const [target, same] of Map.groupBy(due, (link) => link.target)) {
        const host = hostOf(target)
        const before = asked.get(host) ?? 0
        if (before >= maxOfHost) continue
        asked.set(host, before + 1)
        await check(same, signal)
        if (signal.aborted || performance.now() - began > maxRunMs) return
        await pause(gapMs)
      }
    },

    /** What doctor says of targets. */
    finding(): Finding {
      const count = links.deadCount()
      if (count === 0) return { state: 'ok', text: 'no dead targets' }
      const named = links.dead(maxNamed).map(({ code, problem }) => `/l/${code} (${problem})`)
      const more = count > named.length ? ` and ${count - named.length} more` : ''
      return { state: 'warn', text: `dead targets: ${named.join(', ')}${more}` }
    },
  }
}
