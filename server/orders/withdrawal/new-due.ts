import type { CivilDate } from '#shared/dates/civil-dates.ts'
import type { WithdrawalStore } from './withdrawal-store.ts'

/** By when the rest of an invoice is to be paid once its withdrawals are settled; null where none is. */
export const newDueOn = (heldUp: ReturnType<WithdrawalStore['heldUp']>): CivilDate | null =>
  heldUp.reduce<CivilDate | null>(
    (latest, { to }) => (to !== null && (latest === null || to > latest) ? to : latest),
    null,
  )
