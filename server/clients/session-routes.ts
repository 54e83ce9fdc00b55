import { endSessions, getSessions, type SessionLine } from '#shared/sessions.ts'
import type { Http } from '../feature.ts'
import { failure } from '#shared/failures.ts'
import type { RequestContext } from '../http/request-context.ts'
import type { Clients } from './clients.ts'
import type { SessionActs } from './session-acts.ts'
import type { ClientSession, ListedSession } from './sessions.ts'

/** Sessions at the desk (docs/contract.md, Desk). */
export function sessionRoutes(
  { endpoints }: Http,
  { clients, sessionActs }: { clients: Clients; sessionActs: SessionActs },
): void {
  const mine = (requestContext: RequestContext): ClientSession => {
    const session = clients.sessionIn(requestContext)
    if (!session) throw failure('signed-out')
    return session
  }

  endpoints.serve(
    getSessions,
    { limit: 'read', access: 'public', scope: 'desk' },
    (_, requestContext) => {
      const session = mine(requestContext)
      const { own, others } = sessionActs.visibleTo(session)
      const line = lineFor(session)
      return {
        own: own.map(line),
        others: session.scopes.has('ops') ? others.map(line) : null,
      }
    },
  )

  endpoints.serve(
    endSessions,
    { limit: 'read', access: 'csrf', scope: 'desk' },
    async ({ session: which }, requestContext) => {
      const session = mine(requestContext)
      if (which === 'others') {
        return { success: true as const, ended: await sessionActs.endOthers(session) }
      }
      await sessionActs.endVisible(Number(which), session)
      return { success: true as const, ended: 1 }
    },
  )
}

const iso = (at: number) => new Date(at).toISOString()

/** How a session is shown to someone. */
const lineFor =
  (asking: ClientSession) =>
  ({ id, who, label, name, createdAt, seenAt, network, browser }: ListedSession): SessionLine => ({
    id,
    who: who ?? (label || name),
    label,
    since: iso(createdAt),
    lastUsed: iso(seenAt),
    network,
    browser,
    isThis: id === asking.id,
  })
