import type { Database } from '../db/open.ts'
import { flag, query, text } from '../db/table.ts'

/** The public origin of the server on this state. */
export type RecordedOrigin = {
  readonly origin: string
  /** Whether SITE_URL was set; if not, the origin is derived from the port. */
  readonly configured: boolean
}

/** Written by the server, read by the command line. */
export type SiteOrigin = ReturnType<typeof createSiteOrigin>

export function createSiteOrigin(db: Database, { clock }: { clock: () => number }) {
  const write = db.prepareWrite(`INSERT INTO site_origin VALUES (1, :origin, :configured, :now)
    ON CONFLICT (id) DO UPDATE SET origin = :origin, configured = :configured, recorded_at = :now`)
  const read = query(db, 'SELECT origin, configured FROM site_origin', {
    origin: text(),
    configured: flag(),
  })
  return {
    /** Records the origin of a starting server. */
    record: ({ origin, configured }: RecordedOrigin): Promise<unknown> =>
      db.commit((tx) => write.run(tx, { origin, configured: configured ? 1 : 0, now: clock() })),

    /** The origin of the last server, or null before there was one. */
    read: (): RecordedOrigin | null => read.get(),
  }
}
