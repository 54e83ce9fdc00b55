import type { Database } from './db/open.ts'

/** The public origin of the server that serves this state. */
export type RecordedOrigin = {
  readonly origin: string
  /** Whether SITE_URL was set; otherwise the origin was made from the port. */
  readonly configured: boolean
}

/** Where the server writes down its origin, and the command line reads it. */
export type SiteOrigin = ReturnType<typeof createSiteOrigin>

/** Prepares the statements of the origin; the only place with its SQL. */
export function createSiteOrigin(db: Database, { clock }: { clock: () => number }) {
  const write = db.prepareWrite(`INSERT INTO site_origin VALUES (1, :origin, :configured, :now)
    ON CONFLICT (id) DO UPDATE SET origin = :origin, configured = :configured, recorded_at = :now`)
  const read = db.prepare('SELECT origin, configured FROM site_origin')
  return {
    /** Writes down what a server that begins to serve is called. */
    record: ({ origin, configured }: RecordedOrigin): Promise<unknown> =>
      db.commit((tx) => write.run(tx, { origin, configured: configured ? 1 : 0, now: clock() })),

    /** The origin of the last server, or null before there was one. */
    read(): RecordedOrigin | null {
      const row = read.get() as { origin: string; configured: number } | undefined
      return row ? { origin: row.origin, configured: row.configured === 1 } : null
    },
  }
}
