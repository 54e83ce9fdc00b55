import { dateAt } from '#shared/civil-dates.ts'
import type { Platform } from '../feature.ts'
import type { PersonalData } from '../personal-data.ts'
import { ossYears, parkedDays, unpaidDays, voucherYears, type OrderRetention } from './retention.ts'
import type { CreditAccounts } from './checkout/credit-accounts.ts'
import type { OrderStore } from './store.ts'
import type { Withdrawals } from './withdrawal/withdrawal.ts'

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
    accounts,
    forgetting,
  }: {
    orders: OrderStore
    withdrawals: Withdrawals
    accounts: CreditAccounts
    forgetting: OrderRetention
  },
): PersonalData {
  const statementsOf = (email: string) =>
    withdrawals.list().filter((each) => each.email.toLowerCase() === email.toLowerCase())
  return {
    name: 'orders',
    policy: [
      {
        what: 'Orders and invoices',
        data: 'Name, email address, address, phone number, company, what was ordered and paid, the bank account it was paid from or paid back to, which files were downloaded, statements of withdrawal',
        ground: 'The contract (Art. 6(1)(b)) and the Finnish Accounting Act (Art. 6(1)(c))',
        kept: `Accounting records ${voucherYears} years from the end of the year in which the fiscal year of the order’s last one ended (${ossYears} years for sales through the One Stop Shop), here and with our bookkeeper, whose books are kept for ${bookYears} years; orders never paid ${unpaidDays} days, orders on hold ${parkedDays} days`,
      },
    ],
    forgottenBy: { job: forgetKind },
    note: `What the bookkeeper has isn’t on this site; the Accounting Act requires records to be kept for ${voucherYears} years and books for ${bookYears}.`,
    find: (email) => [
      ...orders.ofEmail(email),
      ...statementsOf(email),
      ...accounts.list().filter((account) => account.email.toLowerCase() === email.toLowerCase()),
    ],
    erase(tx, email) {
      const { erased: forgotten, afterwards } = forgetting.ofEmail(tx, email)
      const erased = forgotten + accounts.erase(tx, email)
      const kept = orders.ofEmail(email)
      const count = kept.length + statementsOf(email).length
      if (count === 0) return { erased, afterwards }
      return {
        erased,
        afterwards,
        kept: {
          count,
          why: `The Accounting Act requires these records to be kept for ${voucherYears} years.`,
          // A statement of withdrawal about no order of its sender is erased, so there is an order.
          until: forgetting.keptUntil(email) ?? `${Number(dateAt(clock()).slice(0, 4))}-12-31`,
        },
      }
    },
  }
}
