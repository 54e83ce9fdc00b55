import type { Scope } from '#shared/clients/secret-code.ts'
import type { Database } from '../db/open.ts'
import type { RequestContext } from '../http/request-context.ts'
import type { Keys } from '../secrets/secret-key.ts'
import { createCodes } from './codes.ts'
import { createChallenges } from './second-factor/challenges.ts'
import { createFactors } from './second-factor/factors.ts'
import { createPanelMetadata } from './panel-files.ts'
import { createPanels } from './panels.ts'
import type { Client, Code } from './schema.ts'
import { createSessions } from './sessions.ts'
import { createClientStore } from './store.ts'

/** A client signed in with a code that can view. */
export type SignedInClient = {
  /** What the code may do. */
  readonly scopes: ReadonlySet<string>
  /** The message when a scope is missing. */
  readonly refusal: string
  /** Whether an address is one of the client's, whatever its letter case. */
  owns(email: string): boolean
}

/** Clients, their codes and sessions, and their panels. */
export type Clients = ReturnType<typeof createClients>

/** Assembles what the rest of the site can ask about clients. */
export function createClients({
  db,
  keys,
  clock,
  dataDir,
}: {
  db: Database
  keys: Keys
  clock: () => number
  dataDir: string
}) {
  const sessions = createSessions(db, { keys })
  const panels = createPanels(db, { clock, dataDir })
  const store = createClientStore(db, { clock })
  const codes = createCodes(db, { keys, clock })
  return {
    ...store,
    codes,
    factors: createFactors(db, { keys, clock }),
    challenges: createChallenges(db, { keys, clock }),
    sessions,
    sessionOf: sessions.sessionOf,
    sessionIn: sessions.sessionIn,

    /** What any of the codes of some clients opens, of those that are neither revoked nor expired. */
    scopesOf(of: readonly Pick<Client, 'id'>[]): ReadonlySet<Scope> {
      const isLive = ({ revokedAt, expiresAt }: Code) =>
        revokedAt === null && (expiresAt === null || expiresAt > clock())
      const live = of.flatMap(({ id }) => codes.list(id).filter(isLive))
      return new Set(live.flatMap(({ scopes }) => scopes))
    },

    /** The client of a session that can view the panel; null for everyone else. */
    clientIn(requestContext: Pick<RequestContext, 'session'>): SignedInClient | null {
      const session = sessions.sessionIn(requestContext)
      const client = session?.scopes.has('view') ? store.find(session.clientId) : null
      if (!session || !client) return null
      const emails = new Set(client.emails.map((email) => email.toLowerCase()))
      return {
        scopes: session.scopes,
        refusal: session.refusal,
        owns: (email) => emails.has(email.toLowerCase()),
      }
    },
    panels,
    metadata: createPanelMetadata(panels.pathOf),
  }
}
