import { dateAt, type CivilDate } from '#shared/dates/civil-dates.ts'
import { failure } from '#shared/failures.ts'
import type { Platform } from '../feature.ts'
import { taxRegistrations } from './schema.ts'

/** What the seller has registered for. */
export type TaxRegistrations = ReturnType<typeof createTaxRegistrations>

/** Prepares the statements of the registrations. */
export function createTaxRegistrations({
  db,
  clock,
  commit,
  timeline,
  siteVersion,
}: Pick<Platform, 'db' | 'clock' | 'commit' | 'timeline' | 'siteVersion'>) {
  const find = taxRegistrations.select(db, 'WHERE name = :name')
  const save = taxRegistrations.insert(
    db,
    'ON CONFLICT (name) DO UPDATE SET from_on = excluded.from_on, recorded_at = excluded.recorded_at',
  )
  const ossFrom = (): CivilDate | null => find.get({ name: 'oss' })?.fromOn ?? null

  return {
    /** The day from which sales to consumers in other member states go through the One Stop Shop. */
    ossFrom,

    /**
     * Notes from which day the seller is registered for the One Stop Shop.
     * @throws wrong-state for a day in the past: what was sold until now had Finnish VAT
     */
    registerOss: (from: CivilDate, actor: string): Promise<void> =>
      commit((tx) => {
        const today = dateAt(clock())
        if (from < today) {
          throw failure('wrong-state', {
            message: 'Sales so far had Finnish VAT; use today or a later date.',
          })
        }
        timeline.record(tx, {
          thing: 'tax',
          thingId: 'oss',
          actor,
          act: 'registered',
          before: ossFrom(),
          after: from,
        })
        save(tx, { name: 'oss', fromOn: from, recordedAt: clock() })
        siteVersion.changed(tx)
      }),
  }
}
