import { legalVersions, type DocumentVersion } from '#shared/legal/legal.ts'
import { dateAt } from '#shared/dates/civil-dates.ts'
import { termsWith } from '#shared/legal/terms.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Platform } from '../feature.ts'
import { termsTexts, type TermsText } from './schema.ts'

/** The terms of service in the version that is in force, and in earlier ones. */
export type TermsVersions = ReturnType<typeof createTermsVersions>

const [latest] = legalVersions.terms

/**
 * Keeps the terms of service of each version, so that anyone who agreed to one can read it once another
 * is in force. Their text is part of the program, but for what cancelling a booking costs, which staff
 * set: where that changes under version 1.9, the terms are version 1.9.1 from then on, so that no
 * version ever has two texts.
 * @param cancellation what cancelling a booking costs, in sentences
 */
export function createTermsVersions(
  { db, clock, siteVersion }: Pick<Platform, 'db' | 'clock' | 'siteVersion'>,
  cancellation: () => readonly string[],
) {
  const insert = termsTexts.insert(db, 'ON CONFLICT (version) DO NOTHING')
  const byVersion = termsTexts.select(db, 'WHERE version = :version')
  const all = termsTexts.select(db, '')

  /** The terms that apply now, and whether they are kept already. */
  const inForce = (): { text: TermsText; isKept: boolean } => {
    const sections = termsWith(cancellation())
    let version: string = latest.version
    let kept = byVersion.get({ version })
    if (kept === null) return { text: { version, date: latest.date, sections }, isKept: false }
    for (let revision = 1; ; revision += 1) {
      const next = `${latest.version}.${revision}`
      const newer = byVersion.get({ version: next })
      if (newer !== null) {
        ;[version, kept] = [next, newer]
        continue
      }
      if (JSON.stringify(kept.sections) === JSON.stringify(sections)) {
        return { text: kept, isKept: true }
      }
      return { text: { version: next, date: dateAt(clock()), sections }, isKept: false }
    }
  }

  const keep = (tx: Transaction): string => {
    const { text, isKept } = inForce()
    if (!isKept) {
      insert(tx, text)
      siteVersion.changed(tx)
    }
    return text.version
  }

  return {
    /** The terms that apply now. */
    current: (): TermsText => inForce().text,
    /** The terms of a version; null for one from before texts were kept. */
    of(version: string): TermsText | null {
      const kept = byVersion.get({ version })
      if (kept) return kept
      const { text } = inForce()
      return text.version === version ? text : null
    },
    /** Every version that was in force here, newest first, and whether it can be read. */
    list(): (DocumentVersion & { isKept: boolean })[] {
      const kept = new Map(all.all().map(({ version, date }) => [version, date]))
      const { text } = inForce()
      kept.set(text.version, text.date)
      return legalVersions.terms.flatMap((published) => [
        ...revisionsOf(published.version, kept),
        { ...published, isKept: kept.has(published.version) },
      ])
    },
    /**
     * Keeps the terms as they are now, where they aren't kept yet.
     * @returns their version, for what is agreed on in the same transaction
     */
    keep,
    /** {@link keep} in a transaction of its own. */
    async keepNow(): Promise<void> {
      if (!inForce().isKept) await db.commit(keep)
    },
  }
}

/** The versions in which only the cost of cancelling is another one, newest first. */
function revisionsOf(
  published: string,
  kept: ReadonlyMap<string, string>,
): (DocumentVersion & { isKept: boolean })[] {
  const found = []
  for (let revision = 1; kept.has(`${published}.${revision}`); revision += 1) {
    const version = `${published}.${revision}`
    const change = 'What cancelling a booking costs.'
    found.unshift({ version, date: kept.get(version)!, change, isKept: true })
  }
  return found
}
