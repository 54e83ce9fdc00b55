import type { Commit, Transaction } from '../db/group-commit.ts'
import type { Kept, PersonalData } from '../personal-data.ts'

/** What one place knows of an address. */
export type Found = { place: string; records: readonly unknown[]; note: string | null }

/** What became of an address in one place. */
export type Erased = { place: string; erased: number; kept: Kept | null; note: string | null }

/**
 * Everything that is known of an address, for the person who asks for a copy (GDPR, Art. 15 and 20).
 * @param places every place where features keep personal data
 */
export async function exportOf(email: string, places: readonly PersonalData[]): Promise<Found[]> {
  const found: Found[] = []
  for (const { name, find, note = null } of places) {
    found.push({ place: name, records: await find(email), note })
  }
  return found
}

/** Rolls a rehearsal back. */
class Rehearsed extends Error {}

/**
 * Erases what is known of an address, all places in one transaction (GDPR, Art. 17).
 * @param options `rehearse` only tells what would be erased: the same work, rolled back
 */
export async function erase(
  email: string,
  {
    places,
    commit,
    rehearse,
  }: { places: readonly PersonalData[]; commit: Commit; rehearse: boolean },
): Promise<Erased[]> {
  let told: Erased[] = []
  let afterwards: (() => void | Promise<void>)[] = []
  const work = (tx: Transaction) => {
    told = []
    afterwards = []
    for (const { name, erase: erasePlace, note = null } of places) {
      const result = erasePlace?.(tx, email)
      told.push({ place: name, erased: result?.erased ?? 0, kept: result?.kept ?? null, note })
      if (result?.afterwards) afterwards.push(() => result.afterwards!())
    }
    if (rehearse) throw new Rehearsed()
  }
  try {
    await commit(work)
  } catch (error) {
    if (!(error instanceof Rehearsed)) throw error
    return told
  }
  for (const step of afterwards) await step()
  return told
}
