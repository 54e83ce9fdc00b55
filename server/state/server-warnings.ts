import type { Logger } from 'pino'
import type { Database } from '../db/open.ts'

/** Warnings about the server's setup, for its log, health and doctor. */
export type ServerWarnings = {
  /** Starts over with the configuration's warnings; called when a server starts. */
  begin(texts: readonly string[]): void
  /** Sets or clears (null) a warning by name. Idempotent. */
  set(name: string, text: string | null): void
  /** The warnings of this server. */
  list(): readonly string[]
  /** The warnings of the last server, readable from any process. */
  recorded(): readonly string[]
}

export function createServerWarnings(
  db: Database,
  { clock, log }: { clock: () => number; log: Logger },
): ServerWarnings {
  const all = db.prepare('SELECT text FROM server_warnings ORDER BY noticed_at, name').pluck()
  const clear = db.prepareWrite('DELETE FROM server_warnings')
  const save = db.prepareWrite(`INSERT INTO server_warnings VALUES (:name, :text, :now)
    ON CONFLICT (name) DO UPDATE SET text = :text, noticed_at = :now`)
  const noted = new Map<string, string>()
  const write = () => {
    const rows = [...noted]
    db.commit((tx) => {
      clear.run(tx)
      for (const [name, text] of rows) save.run(tx, { name, text, now: clock() })
    }).catch((err: unknown) => log.warn({ err }, 'warnings not saved'))
  }

  return {
    begin(texts) {
      for (const [index, text] of texts.entries()) {
        noted.set(`configuration-${index}`, text)
        log.warn(text)
      }
      write()
    },
    set(name, text) {
      if ((noted.get(name) ?? null) === text) return
      if (text === null) noted.delete(name)
      else {
        noted.set(name, text)
        log.warn(text)
      }
      write()
    },
    list: () => [...noted.values()],
    recorded: () => all.all() as string[],
  }
}
