import { typedAddress } from '#shared/newsletter.ts'
import { failure } from '#shared/failures.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'
import type { Platform } from '../feature.ts'
import { spellingsOf, wireMailboxOf } from '../mail/recipient.ts'
import type { Kept, PersonalData } from '../contributions/personal-data.ts'
import { siteAct } from '../timeline/timeline.ts'

/** What one place knows of an address. */
export type Found = { place: string; records: readonly unknown[]; note: string | null }

/** What became of an address in one place. */
export type Erased = {
  place: string
  erased: number
  kept: Kept | null
  /** What goes that others rely on, a sentence each. */
  named: readonly string[]
  note: string | null
}

/** What is kept of people, for how long, and what forgets it. */
export type RetentionRow = {
  place: string
  what: string
  data: string
  ground: string
  kept: string
  forgottenBy: string
  /** When the job that forgets it ran last, in milliseconds of the epoch; null for none. */
  lastRun: number | null
}

/** What a request of a person is answered with. */
export type PrivacyActs = ReturnType<typeof createPrivacyActs>

/** Acts on personal data; each covers every place where features keep some. */
export function createPrivacyActs({
  contributions,
  db,
  jobs,
  timeline,
}: Pick<Platform, 'contributions' | 'db' | 'jobs' | 'timeline'>) {
  const places = () => contributions().personalData
  return {
    /**
     * Everything that is known of an address.
     * @param by who asked for it; the timeline doesn't say about whom
     * @throws invalid for what isn't an address
     */
    async exportOf(given: string, by: string): Promise<Found[]> {
      const found = await exportOf(addressOf(given), places())
      const act = { actor: by, act: 'exported what we hold on a person' }
      await db.commit((tx) => timeline.record(tx, siteAct('privacy', act)))
      return found
    },

    /**
     * Erases what is known of an address.
     * @param options `rehearse` only tells what would be erased; `by` is who does it, which the
     *   timeline keeps without saying whom it was about
     * @throws invalid for what isn't an address
     */
    erase: (
      given: string,
      { rehearse, by }: { rehearse: boolean; by: string },
    ): Promise<ErasureReport> => {
      const act = { actor: by, act: 'erased a person' }
      const record = (tx: Transaction) => timeline.record(tx, siteAct('privacy', act))
      return erase(addressOf(given), { places: places(), db, rehearse, record })
    },

    /**
     * Other spellings on file of an address, which probably lead to the same mailbox: with something
     * after a plus sign, or with dots at Gmail. Only who has them knows, so each is exported and erased by itself.
     * @throws invalid for what isn't an address
     */
    otherSpellings(given: string): string[] {
      const email = addressOf(given)
      const included = new Set(spellingsOf(email).map((spelling) => spelling.toLowerCase()))
      const mailbox = wireMailboxOf(email)
      const others = new Map<string, string>()
      for (const address of places().flatMap((place) => place.addresses?.() ?? [])) {
        const folded = address.toLowerCase()
        if (!included.has(folded) && wireMailboxOf(address) === mailbox) {
          others.set(folded, address)
        }
      }
      return [...others.values()].toSorted()
    },

    /** How long everything is kept. */
    retention: (): RetentionRow[] =>
      places().flatMap(({ name, policy, forgottenBy: by }) => {
        const job = 'job' in by ? jobs.find(by.job, '') : null
        return policy.map(({ what, data, ground, kept }) => ({
          place: name,
          what,
          data,
          ground,
          kept,
          forgottenBy: 'job' in by ? `job ${by.job}` : by.by,
          lastRun: job?.lastSuccessAt ?? null,
        }))
      }),
  }
}

/** @throws invalid for what isn't an address at all, since every text would be searched for */
function addressOf(text: string): string {
  const email = typedAddress(text)
  if (/^[^\s@]{1,64}@[^\s@]{3,255}$/.test(email)) return email
  throw failure('invalid', { message: `${text} is not an email address.` })
}

/**
 * Everything that is known of an address, for the person who asks for a copy (GDPR, Art. 15 and 20).
 * @param places every place where features keep personal data
 */
async function exportOf(email: string, places: readonly PersonalData[]): Promise<Found[]> {
  const found: Found[] = []
  for (const place of places) {
    const records = new Map<string, unknown>()
    for (const spelling of spellingsOf(email)) {
      // What names both is one record.
      for (const record of await place.find(spelling)) records.set(JSON.stringify(record), record)
    }
    found.push({
      place: place.name,
      records: [...records.values()],
      note: await noteOf(place, email),
    })
  }
  return found
}

const noteOf = async ({ note }: PersonalData, email: string): Promise<string | null> =>
  typeof note === 'function' ? note(spellingsOf(email)) : (note ?? null)

/** Rolls a rehearsal back. */
class Rehearsed extends Error {}

/** What an erasure did. */
export type ErasureReport = {
  places: Erased[]
  /**
   * False when the files of the database may still hold what was erased until tonight, since someone
   * read an earlier state, as a backup does.
   */
  cleared: boolean
}

/**
 * Erases what is known of an address, all places in one transaction (GDPR, Art. 17), and makes sure
 * that no file of the database holds it any more.
 * @param options `rehearse` only tells what would be erased: the same work, rolled back
 */
async function erase(
  email: string,
  {
    places,
    db,
    rehearse,
    record,
  }: {
    places: readonly PersonalData[]
    db: Pick<Database, 'commit' | 'emptyLog'>
    rehearse: boolean
    record: (tx: Transaction) => void
  },
): Promise<ErasureReport> {
  let outcomes: Omit<Erased, 'note'>[] = []
  let afterwards: (() => void | Promise<void>)[] = []
  const work = (tx: Transaction) => {
    outcomes = []
    afterwards = []
    for (const { name, erase: erasePlace } of places) {
      const results = erasePlace ? spellingsOf(email).map((each) => erasePlace(tx, each)) : []
      outcomes.push({
        place: name,
        erased: results.reduce((sum, { erased }) => sum + erased, 0),
        kept: keptOfAll(results.flatMap(({ kept }) => kept ?? [])),
        named: results.flatMap(({ named }) => named ?? []),
      })
      for (const result of results) {
        if (result.afterwards) afterwards.push(() => result.afterwards!())
      }
    }
    if (rehearse) throw new Rehearsed()
    // After the erasure, which would take the words of the address out of it, too.
    if (outcomes.some(({ erased }) => erased > 0)) record(tx)
  }
  let cleared = true
  try {
    await db.commit(work)
    if (outcomes.some(({ erased }) => erased > 0)) for (const step of afterwards) await step()
    cleared = await db.emptyLog()
  } catch (error) {
    if (!(error instanceof Rehearsed)) throw error
  }
  const reports: Erased[] = []
  for (const [index, place] of places.entries()) {
    reports.push({ ...outcomes[index]!, note: await noteOf(place, email) })
  }
  return { places: reports, cleared }
}

/** What is kept of all spellings of an address, in one. */
function keptOfAll(kept: readonly Kept[]): Kept | null {
  const [first, ...others] = kept
  if (!first) return null
  return others.reduce(
    (all, each) => ({
      count: all.count + each.count,
      why: all.why === each.why ? all.why : `${all.why} ${each.why}`,
      until: all.until && each.until && (all.until > each.until ? all.until : each.until),
    }),
    first,
  )
}
