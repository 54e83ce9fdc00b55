import { failure } from '#shared/failures.ts'
import { staffScopes } from '#shared/clients/secret-code.ts'
import type { Platform } from '../feature.ts'
import { recordOf } from './acts.ts'
import type { Clients } from './clients.ts'
import type { Code } from './schema.ts'
import type { ClientSession, ListedSession } from './sessions.ts'

/** What staff do with sessions. `by` is who does it, for the timeline. */
export type SessionActs = ReturnType<typeof createSessionActs>

/** Each act is one transaction and is recorded in the timelines of the clients whose sessions end. */
export function createSessionActs(
  { commit, clock, timeline }: Pick<Platform, 'commit' | 'clock' | 'timeline'>,
  clients: Clients,
) {
  const record = recordOf(timeline)
  const list = (codeId: number | null) => clients.sessions.list(codeId, clock())

  /** Ends sessions; one that is gone meanwhile stays so. @returns how many were open */
  const end = (ended: readonly ListedSession[], by: string): Promise<number> =>
    commit((tx) => {
      const open = new Set(list(null).map(({ id }) => id))
      const found = ended.filter(({ id }) => open.has(id))
      for (const { id } of found) clients.sessions.endById(tx, id)
      for (const [codeId, of] of Map.groupBy(found, (session) => session.codeId)) {
        const act = of.length === 1 ? 'session ended' : `${of.length} sessions ended`
        record(tx, of[0]!.clientId, by, act, { code: codeId })
      }
      return found.length
    })

  /** The sessions that someone who is signed in may see and end. */
  const visibleTo = ({ codeId, scopes }: ClientSession) => ({
    own: list(codeId),
    others: scopes.has('ops')
      ? list(null).filter((session) => session.codeId !== codeId && isStaff(session))
      : [],
  })

  return {
    /** Open sessions, the last used first. @param code only its own; null for all */
    list: (code: Code | null): ListedSession[] => list(code?.id ?? null),

    visibleTo,

    /**
     * Ends sessions by their numbers.
     * @throws gone, and ends none, where one of them isn't open
     */
    async end(ids: readonly number[], by: string): Promise<void> {
      const open = list(null)
      const found = ids.map((id) => {
        const session = open.find((each) => each.id === id)
        if (!session) throw noSession(id)
        return session
      })
      await end(found, by)
    },

    /** Ends every session of a code. @returns how many */
    endOf: (code: Code, by: string): Promise<number> => end(list(code.id), by),

    /**
     * Ends one of the sessions that someone who is signed in may see.
     * @throws gone for every other one
     */
    async endVisible(id: number, session: ClientSession): Promise<void> {
      const { own, others } = visibleTo(session)
      const found = [...own, ...others].find((each) => each.id === id)
      if (!found) throw noSession(id)
      await end([found], session.actor)
    },

    /** Ends every session of someone's code but the one that asks. @returns how many */
    endOthers: (session: ClientSession): Promise<number> =>
      end(
        list(session.codeId).filter(({ id }) => id !== session.id),
        session.actor,
      ),
  }
}

const isStaff = ({ scopes }: ListedSession) => staffScopes.some((scope) => scopes.includes(scope))

const noSession = (id: number) =>
  failure('gone', { message: `Session ${id} isn’t open. It may have ended meanwhile.` })
