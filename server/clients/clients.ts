import type { Database } from '../db/open.ts'
import type { Keys } from '../secret-key.ts'
import type { TicketStore } from '../contact/store.ts'
import { createBlockKinds } from './blocks.ts'
import { createCodes } from './codes.ts'
import { addOwnBlocks } from './own-blocks.ts'
import { createPanels } from './panels.ts'
import { createSessions } from './sessions.ts'
import { createClientStore } from './store.ts'
import { addTicketBlock } from './ticket-blocks.ts'

/** Clients, their codes and sessions, their panels, and the kinds of blocks that panels have. */
export type Clients = ReturnType<typeof createClients>

/** Puts together what the rest of the site reaches as `context.clients`. */
export function createClients({
  db,
  keys,
  clock,
  dataDir,
  tickets,
}: {
  db: Database
  keys: Keys
  clock: () => number
  dataDir: string
  tickets: TicketStore
}) {
  const sessions = createSessions(db, { keys })
  const panels = createPanels(db, { clock, dataDir })
  const blocks = createBlockKinds()
  addOwnBlocks(blocks, panels)
  addTicketBlock(blocks, tickets)
  return {
    ...createClientStore(db, { clock }),
    codes: createCodes(db, { keys, clock }),
    sessions,
    sessionOf: sessions.sessionOf,
    panels,
    blocks,
  }
}
