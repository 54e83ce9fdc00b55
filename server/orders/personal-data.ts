import { dateAt } from '#shared/dates/civil-dates.ts'
import { euros } from '#shared/money.ts'
import { counted } from '#shared/text/counted.ts'
import type { Platform } from '../feature.ts'
import type { PersonalData } from '../contributions/personal-data.ts'
import { ossYears, parkedDays, unpaidDays, voucherYears, type OrderRetention } from './retention.ts'
import { accountMonths, type CreditAccounts } from './checkout/credit-accounts.ts'
import type { Invoices } from './documents/invoices.ts'
import type { Payouts } from './payment/payouts.ts'
import { downloads } from './schema.ts'
import type { Parcels } from './shipping/parcels.ts'
import type { OrderStore } from './store.ts'
import type { Withdrawals } from './withdrawal/withdrawal.ts'

/** Years for which the bookkeeper has to keep the books (Accounting Act 2:10). */
const bookYears = 10

/** The job that forgets orders. */
export const forgetKind = 'orders.forget'

/** What orders keep of people: vouchers stay as the law demands, everything else can be erased. */
export function orderData(
  { clock, db }: Pick<Platform, 'clock' | 'db'>,
  {
    orders,
    invoices,
    payouts,
    parcels,
    withdrawals,
    accounts,
    forgetting,
  }: {
    orders: OrderStore
    invoices: Pick<Invoices, 'ofOrder'>
    payouts: Pick<Payouts, 'ofOrder'>
    parcels: Pick<Parcels, 'of'>
    withdrawals: Withdrawals
    accounts: CreditAccounts
    forgetting: OrderRetention
  },
): PersonalData {
  const fetchedOf = downloads.select(
    db,
    'WHERE line IN (SELECT id FROM order_lines WHERE "order" = :order) ORDER BY id',
  )
  const statementsOf = (email: string) =>
    withdrawals.list().filter((each) => each.email.toLowerCase() === email.toLowerCase())
  return {
    name: 'orders',
    policy: [
      {
        what: 'Orders and invoices',
        data: 'Name, email address, address, phone number, company, VAT ID and what VIES said of it, what was ordered and paid, the bank account it was paid from or paid back to, which files were downloaded and when, with a keyed hash of your network, parcels, reminders and late charges, statements of withdrawal',
        ground: 'The contract (Art. 6(1)(b)) and the Finnish Accounting Act (Art. 6(1)(c))',
        kept: `Accounting records ${voucherYears} years from the end of the year in which the fiscal year of the order’s last one ended (${ossYears} years for sales through the One Stop Shop), here and with our bookkeeper, whose books are kept for ${bookYears} years; orders never paid ${unpaidDays} days, orders on hold ${parkedDays} days`,
      },
      {
        what: 'Companies that can pay later',
        data: 'Company, the email address that orders for it, who on our staff allowed it and when',
        ground: 'Our legitimate interest in knowing whom we give credit (Art. 6(1)(f))',
        kept: `Until we end it, or ${accountMonths} months without an order`,
      },
    ],
    forgottenBy: { job: forgetKind },
    addresses: () => [
      ...orders.addresses(),
      ...[...withdrawals.list(), ...accounts.list()].map(({ email }) => email),
    ],
    note: `What the bookkeeper has isn’t on this site; the Accounting Act requires records to be kept for ${voucherYears} years and books for ${bookYears}.`,
    find: (email) => [
      ...orders.ofEmail(email).map((order) => ({
        ...order,
        documents: invoices.ofOrder(order.id),
        payments: orders.paymentsOf(order.id),
        payouts: payouts.ofOrder(order.id),
        charges: orders.chargesOf(order.id),
        parcels: parcels.of(order.id),
        fetched: fetchedOf.all({ order: order.id }),
      })),
      ...statementsOf(email),
      ...accounts.list().filter((account) => account.email.toLowerCase() === email.toLowerCase()),
    ],
    erase(tx, email) {
      const { erased: forgotten, afterwards, held } = forgetting.ofEmail(tx, email)
      const erased = forgotten + accounts.erase(tx, email)
      const named = held.map(
        ({ number, total }) => `Order on hold ${number}: ${euros(total)}. It’s cancelled.`,
      )
      const kept = orders.ofEmail(email)
      const count = kept.length + statementsOf(email).length
      if (count === 0) return { erased, named, afterwards }
      // Of what is no record yet, a payment page is open.
      const payable = kept.filter(
        ({ id }) => invoices.ofOrder(id).length === 0 && orders.paymentsOf(id).length === 0,
      ).length
      const areRecords = payable < count
      return {
        erased,
        named,
        afterwards,
        kept: {
          count,
          why: [
            areRecords &&
              `The Accounting Act requires these records to be kept for ${voucherYears} years.`,
            payable > 0 &&
              `${counted(payable, 'order')} can still be paid by card: run this again in an hour.`,
          ]
            .filter(Boolean)
            .join(' '),
          // A statement of withdrawal about no order of its sender is erased, so there is an order.
          until: areRecords
            ? (forgetting.keptUntil(email) ?? `${Number(dateAt(clock()).slice(0, 4))}-12-31`)
            : null,
        },
      }
    },
  }
}
