import type { Database } from '../db/open.ts'
import { conditions, type Link, type LinkStore } from './store.ts'

/** How many rows one step of a search looks at, so that it does not hold up other requests. */
const rowsPerStep = 20_000

/** Which links to list. */
export type LinkSearch = {
  /** Part of code, target or note. */
  text: string
  /** A condition on the state, see `conditions`. */
  state: keyof typeof conditions | null
}

/** Prepares the search among links. */
export function createLinkSearch(db: Database, { findId }: Pick<LinkStore, 'findId'>) {
  const last = db.prepare('SELECT max(id) FROM links').pluck()

  /** Links that fit, newest first, and how many there are; in steps, between which others have their turn. */
  return async ({ text, state }: LinkSearch, from: number, most: number, now: number) => {
    const where = [
      ...(text
        ? [
            `(code LIKE :like ESCAPE '!' OR target LIKE :like ESCAPE '!' OR note LIKE :like ESCAPE '!')`,
          ]
        : []),
      ...(state ? [`(${conditions[state]})`] : []),
    ].join(' AND ')
    const fits = db
      .prepare(`SELECT id FROM links WHERE id > :low AND id <= :high AND ${where} ORDER BY id DESC`)
      .pluck()
    const like = `%${text.replaceAll(/[%_!]/g, '!$&')}%`
    const links: Link[] = []
    let total = 0
    for (let high = (last.get() as number | null) ?? 0; high > 0; high -= rowsPerStep) {
      const values = {
        low: high - rowsPerStep,
        high,
        ...(text && { like }),
        ...(state && { now }),
      }
      for (const id of fits.all(values) as number[]) {
        if (total >= from && links.length < most) links.push(findId(id)!)
        total += 1
      }
      if (high > rowsPerStep) await new Promise((resolve) => setImmediate(resolve))
    }
    return { total, links }
  }
}
