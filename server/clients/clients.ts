import type { Database } from '../db/open.ts'
import type { Keys } from '../secret-key.ts'
import { createCodes } from './codes.ts'
import { createPanelMetadata } from './panel-files.ts'
import { createPanels } from './panels.ts'
import { createSessions } from './sessions.ts'
import { createClientStore } from './store.ts'

/** Clients, their codes and sessions, and their panels. */
export type Clients = ReturnType<typeof createClients>

/** Puts together what the rest of the site may ask of clients. */
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
  return {
    ...createClientStore(db, { clock }),
    codes: createCodes(db, { keys, clock }),
    sessions,
    sessionOf: sessions.sessionOf,
    sessionIn: sessions.sessionIn,
    panels,
    metadata: createPanelMetadata(panels.pathOf),
  }
}
