import { dateAt } from '#shared/civil-dates.ts'
import type { Platform } from '../feature.ts'
import type { PersonalData } from '../personal-data.ts'
import { unpaidDays, voucherYears, type OrderRetention } from './retention.ts'
import type { OrderStore } from './store.ts'
import type { Withdrawals } from './withdrawal.ts'

/** Years for which the bookkeeper has to keep the books (Accounting Act 2:10). */
const bookYears = 10

/** The job that forgets orders. */
export const forgetKind = 'orders.forget'

/** What orders keep of people: vouchers stay as the law demands, everything else can be erased. */
export function orderData(
  { clock }: Pick<Platform, 'clock'>,
  {
    orders,
    withdrawals,
    forgetting,
  }: { orders: OrderStore; withdrawals: Withdrawals; forgetting: OrderRetention },
): PersonalData {
  const statementsOf = (email: string) =>
    withdrawals.list().filter((each) => each.email.toLowerCase() === email.toLowerCase())
  return {
    name: 'orders',
    policy: [
      {
        what: 'Orders and invoices',
        data: 'Name, e-mail address, address, company, what was ordered and paid, which files were fetched, statements of withdrawal',
        ground: 'The contract (Art. 6(1)(b)) and the Finnish Accounting Act (Art. 6(1)(c))',
        kept: `Vouchers ${voucherYears} years from the end of the year of the order, here and with our bookkeeper, whose books are kept for ${bookYears} years; orders that were never paid ${unpaidDays} days`,
      },
    ],
    forgottenBy: { job: forgetKind },
    note: `What has been given to the bookkeeper is not on this site; the Accounting Act demands that vouchers are kept for ${voucherYears} years and books for ${bookYears}.`,
    find: (email) => [...orders.ofEmails([email], 10_000), ...statementsOf(email)],
    erase(tx, email) {
      const { erased, afterwards } = forgetting.ofEmail(tx, email)
      const kept = orders.ofEmails([email], 10_000)
      const count = kept.length + statementsOf(email).length
      if (count === 0) return { erased, afterwards }
      const last = Math.max(clock(), ...kept.map(({ placedAt }) => placedAt))
      return {
        erased,
        afterwards,
        kept: {
          count,
          why: `The Accounting Act demands that vouchers are kept for ${voucherYears} years.`,
          until: `${Number(dateAt(last).slice(0, 4)) + voucherYears}-12-31`,
        },
      }
    },
  }
}
