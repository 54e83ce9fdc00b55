import { legalVersions } from '#shared/legal/legal.ts'
import { termsWith } from '#shared/legal/terms.ts'
import type { Platform } from '../../feature.ts'
import { termsTexts, type TermsText } from '../schema.ts'

/** The terms of service in the version that is in force, and in earlier ones. */
export type TermsVersions = ReturnType<typeof createTermsVersions>

/**
 * Keeps the terms of service of each version, so that anyone who agreed to one can read it once another
 * is in force. The text is part of the program, so what an update replaces was kept while it was in
 * force.
 * @param cancellation what cancelling a booking costs, in sentences
 */
export function createTermsVersions(
  { db, siteVersion }: Pick<Platform, 'db' | 'siteVersion'>,
  cancellation: () => readonly string[],
) {
  const put = termsTexts.insert(
    db,
    'ON CONFLICT (version) DO UPDATE SET date = excluded.date, sections = excluded.sections',
  )
  const byVersion = termsTexts.select(db, 'WHERE version = :version')
  const all = termsTexts.select(db, '')
  const [{ version: inForce, date }] = legalVersions.terms

  /** The terms that apply now. */
  const current = (): TermsText => ({
    version: inForce,
    date,
    sections: termsWith(cancellation()),
  })

  return {
    current,
    /** The terms of a version; null for one from before texts were kept. */
    of: (version: string): TermsText | null =>
      version === inForce ? current() : byVersion.get({ version }),
    /** The versions that can be read. */
    list: (): string[] => [...new Set([inForce, ...all.all().map(({ version }) => version)])],
    /** Keeps the terms as they are now, where they aren't kept yet. */
    async keep(): Promise<void> {
      const now = current()
      if (JSON.stringify(byVersion.get({ version: inForce })) === JSON.stringify(now)) return
      await db.commit((tx) => {
        put(tx, now)
        siteVersion.changed(tx)
      })
    },
  }
}
