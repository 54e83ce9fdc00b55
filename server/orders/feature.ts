import { withdrawTexts } from '#shared/shop/withdrawal-texts.ts'
import { dateAt } from '#shared/dates/civil-dates.ts'
import { longDate } from '#shared/dates/date-format.ts'
import { euros } from '#shared/money.ts'
import { linkedPaths } from '#shared/linked-paths.ts'
import { paths } from '#shared/paths.ts'
import type { ClientFeature } from '../clients/feature.ts'
import type { DigestLine, Feature, Platform } from '../feature.ts'
import { searchPage } from '../contributions/search-source.ts'
import type { LegalFeature } from '../legal/feature.ts'
import type { ShopFeature } from '../shop/feature.ts'
import { createOrderAccess } from './order-page/access.ts'
import { orderActions, type OrderActions } from './actions.ts'
import { createBookingBilling, type BookingBilling } from './documents/bookings/booking-money.ts'
import { createProductFiles } from './order-page/files.ts'
import { createRetention } from './retention.ts'
import { ossThreshold } from './books/boxes.ts'
import { createBooks, createBooksSettings, type Books } from './books/books.ts'
import { ratesEnd } from './books/settings.ts'
import { createStockLists } from './books/stock-list.ts'
import { createDocumentFiles, type DocumentFiles } from './documents/document-files.ts'
import { paidOn } from './documents/bookkeeping.ts'
import { asPrinted, type Seller } from './documents/invoice-document.ts'
import { printedReference } from './documents/reference-number.ts'
import { createInvoices } from './documents/invoices.ts'
import { linePictures } from './mails/line-pictures.ts'
import { orderMails } from './mails/mails.ts'
import { createMatching, type Matching } from './bank/matching.ts'
import { maxBankFileBytes, readBankFile } from './bank/statement.ts'
import { orderJobs } from './jobs.ts'
import { orderBlock } from './panel-block.ts'
import { orderAtDesk } from './desk-order.ts'
import { orderDesk } from './desk.ts'
import { createPdfs, type Pdfs } from './documents/pdf/pdfs.ts'
import { orderData } from './personal-data.ts'
import { createSeller } from './documents/seller.ts'
import { noun } from './shares.ts'
import { createOrderStore, type OrderStore } from './store.ts'
import { createPayouts } from './payment/payouts.ts'
import { goneBefore } from './payment/gone-before.ts'
import { createReminders, type Reminders } from './payment/reminders.ts'
import { createStripe } from './payment/stripe.ts'
import { createCreditAccounts } from './checkout/credit-accounts.ts'
import { awaitedOf, createParcels, unsentOf } from './shipping/parcels.ts'
import { createWithdrawals, type Withdrawals } from './withdrawal/withdrawal.ts'
import { newDueOn } from './withdrawal/new-due.ts'
import { createTakenBack } from './withdrawal/taken-back.ts'
import { isBusinessOrder, lastDayToWithdraw } from './withdrawal/right.ts'
import { createWithdrawalCases } from './withdrawal/withdrawal-cases.ts'
import { createWithdrawalStore } from './withdrawal/withdrawal-store.ts'

export type { CreditRequest } from './documents/credit-note.ts'
export type { Match, MatchOutcome } from './bank/matching.ts'
export type { Order } from './order.ts'
export type { WithdrawalCase } from './withdrawal/withdrawal-cases.ts'

/** Checkout, orders, payment, invoices, withdrawal (docs/contract.md, Orders). */
export type OrderFeature = Feature & {
  readonly actions: OrderActions
  readonly withdrawals: Withdrawals
  /** Pays invoices with a bank statement. */
  readonly match: Matching
  /** The money of bookings. */
  readonly ofBookings: BookingBilling
  /** Reads a bank statement. @throws an Error that names the line of a mistake */
  readonly readBankFile: typeof readBankFile
  readonly maxBankFileBytes: number
  /** What the bookkeeper and the tax office are given. */
  readonly books: Books
  /** Reminders, late charges, and what a collection agency is given. */
  readonly reminders: Reminders
  /** Invoices and credit notes as files. */
  readonly documents: DocumentFiles
  /** A reference number in groups, as it is printed. */
  readonly printedReference: typeof printedReference
  readonly pdfs: Pdfs
  /** Who sells. */
  readonly seller: () => Promise<Seller>
}

/** Makes the feature. Without keys of a payment service an order is paid by invoice alone. */
export function orderFeature(
  platform: Platform,
  shop: ShopFeature,
  {
    clientIn,
    isBookingOn,
    bookingUrl,
    isBookingOf,
    bookingAgreedAt,
    terms,
  }: Pick<ClientFeature, 'clientIn'> & {
    /** Whether a booking is confirmed, so its invoices are owed. */
    isBookingOn: (reference: string) => boolean
    /** The page of a booking for its client, absolute; null for one that is gone. */
    bookingUrl: (reference: string) => string | null
    /** Whether a booking is that of a mailbox. */
    isBookingOf: (reference: string, email: string) => boolean
    /** When what is booked was agreed on, in milliseconds; null for a booking that isn't on. */
    bookingAgreedAt: (reference: string) => number | null
    /** The terms of service that orders are placed under. */
    terms: LegalFeature['terms']
  },
): OrderFeature {
  const { config, db, clock, shares } = platform
  const orders = createOrderStore(db, { clock })
  const invoices = createInvoices(db, { clock })
  const payouts = createPayouts(db, { ...platform, orders, giftCards: shop.giftCards })
  const parcels = createParcels(db, { clock, creditedOf: invoices.creditedPieces })
  const withdrawalStore = createWithdrawalStore(db)
  const takenBackOf = createTakenBack({ invoices, withdrawals: withdrawalStore })
  const withdrawalCases = createWithdrawalCases({
    orders,
    payouts,
    withdrawals: withdrawalStore,
    isBookingOf,
  })
  const accounts = createCreditAccounts(db, platform)
  const access = createOrderAccess(platform, { orders, clientIn })
  const files = createProductFiles(config)
  const seller = createSeller(platform)
  const settings = createBooksSettings(platform)
  const pdfs = createPdfs(platform, seller, files)
  const documents = createDocumentFiles(pdfs)
  const actions = orderActions(platform, {
    shop,
    orders,
    invoices,
    payouts,
    parcels,
    withdrawals: withdrawalStore,
    takenBackOf,
    withdrawalCases,
    accounts,
    access,
    files,
    stripe: createStripe(config.stripe),
    seller,
    clientIn,
    terms,
    countries: shop.countries,
  })
  const atDesk = orderAtDesk(platform, { orders, actions, documents, pdfs })
  const withdrawals = createWithdrawals(platform, {
    orders,
    store: withdrawalStore,
    parcels,
    invoices,
    isBookingOf,
  })
  const ofBookings = createBookingBilling(platform, {
    orders,
    invoices,
    seller,
    shop,
    successUrl: actions.successUrl,
    isBookingOn,
    pdfs,
    payouts,
    payment: actions,
    terms,
  })
  const reminders = createReminders(platform, {
    orders,
    invoices,
    settings: settings.inForce,
    isOwed: ofBookings.isOwed,
    heldUp: withdrawalStore.heldUp,
  })
  const stockLists = createStockLists(db, {
    clock,
    catalogue: shop.catalogue,
    settings: settings.inForce,
    unsent: () => orders.holding().flatMap((order) => unsentOf(parcels, order)),
  })
  const books = createBooks({
    orders,
    invoices,
    payouts,
    giftCards: shop.giftCards,
    settings: settings.inForce,
    stockLists,
    clock,
  })
  const forgetting = createRetention(db, {
    ...platform,
    settings: settings.inForce,
    payment: { platform, orders, invoices, payouts, shop },
  })
  const ossNow = () => books.ossYear(Number(dateAt(clock()).slice(0, 4)))
  /** What staff's digest says while the sum from which another VAT is due is near. */
  const ossLine = (): DigestLine => ({
    count: shop.registrations.ossFrom() === null && ossNow().state !== 'below' ? 1 : 0,
    what: 'EU consumer sales near €10,000: register for the One Stop Shop',
    command: 'pitlane orders oss',
  })
  return {
    name: 'orders',
    actions,
    withdrawals,
    match: createMatching(platform, { orders, invoices }),
    ofBookings,
    readBankFile,
    maxBankFileBytes,
    books,
    reminders,
    documents,
    printedReference,
    seller,
    pdfs,
    async routes(http) {
      const { createDownloadLog, orderRoutes } = await import('./routes.ts')
      orderRoutes(platform, http, {
        actions,
        access,
        files,
        withdrawals,
        pdfs,
        terms,
        documents,
        logDownload: createDownloadLog(db, { clock }),
      })
    },
    signs: [
      {
        kind: 'links',
        what: 'links to orders, their invoices and downloads',
        purposes: ['order', 'order-open', 'order-staff', 'download'],
      },
    ],
    mailTemplates: orderMails({
      orders,
      invoices,
      mail: config.mail,
      unseal: (purpose, sealed) => platform.keys.unseal(purpose, sealed),
      pdf: ({ document, order }) =>
        pdfs.invoice(asPrinted(document, orders.findId(order) ?? { shippedAt: null })),
      licences: pdfs.licences,
      balanceOf: actions.balanceOf,
      goneBefore: (order, credit) => goneBefore(order, credit, { orders, invoices, payouts }),
      paidInMoney: ({ id }) => orders.paidInMoney(id),
      paidOn: (order) => paidOn({ orders, invoices }, order),
      chargesOf: reminders.chargesOf,
      lateRateOf: reminders.rateOf,
      isWithdrawn: ({ id }) => withdrawals.isOf(id),
      takenBackOf,
      withdrawableSince(order) {
        const { booking } = order
        const agreedAt =
          booking === null || isBusinessOrder(order) ? null : bookingAgreedAt(booking)
        const isOpen = agreedAt !== null && dateAt(clock()) <= lastDayToWithdraw(agreedAt)
        return isOpen ? agreedAt : null
      },
      withdrawalOf: withdrawalCases.find,
      payBackBy: ({ id }, credit) =>
        withdrawalStore
          .ofOrder(id)
          .filter((each) => each.credit === credit)
          .map((each) => withdrawalCases.caseOf(each).payBy)[0] ?? null,
      newDueOn: (order) => newDueOn(withdrawalStore.heldUp(order)),
      parcelsOf: ({ id }) => parcels.of(id),
      awaitedOf: (order) =>
        awaitedOf(parcels.progress(order), withdrawalStore.unsentPieces(order.id)),
      seller,
      payoutOf: payouts.find,
      accountOf: payouts.accountOf,
      payoutsOf: ({ id }) => payouts.ofOrder(id).filter(({ amount, failed }) => failed < amount),
      async terms({ termsVersion }) {
        const text = terms.of(termsVersion) ?? terms.current()
        return { ...text, attachment: await pdfs.terms(text) }
      },
      successUrl: actions.successUrl,
      bookingUrl,
      payable: actions.cards.payable,
      staffUrl: atDesk.staffUrl,
      isCardOver: ({ giftCard }) =>
        giftCard !== null && shop.giftCardActs.find(giftCard)?.endedAt !== null,
      picturesOf: linePictures(platform, shop),
      waitingLink({ number, state }) {
        const claim = state === 'waiting' ? shares.waiting(noun, number) : null
        if (!claim) return null
        const url = config.siteUrl + linkedPaths.orderConfirm(shares.linkToken(claim))
        return { url, until: claim.until }
      },
    }),
    jobs: orderJobs(platform, { accounts, actions, forgetting, reminders, stockLists }),
    panelBlocks: [orderBlock(actions)],
    personalData: [
      orderData(platform, {
        orders,
        invoices,
        payouts,
        parcels,
        withdrawals,
        accounts,
        forgetting,
      }),
    ],
    desk: orderDesk(actions, atDesk),
    digest: () => [
      attentionLine(orders),
      packLine(actions),
      withdrawalLine(actions),
      waitingLine(orders),
      failedRefundLine(actions),
      payoutLine(actions),
      overpaidLine(actions),
      wentBackLine(actions),
      lateLine(actions),
      ossLine(),
    ],
    async close() {
      await actions.asked()
      await pdfs.close()
    },
    pages: [paths.withdraw()],
    searchPages: () => [
      searchPage(paths.withdraw(), withdrawTexts, {
        names: ['withdrawal', 'withdraw', 'right of withdrawal', 'return', 'returns', 'refund'],
      }),
    ],
    disallowedPaths: [paths.checkout()],
    privatePaths: ['/shop/orders/', linkedPaths.orderConfirm(''), '/shop/downloads/'],
    // Without scripts the checkout's form itself is led on to the page of the payment service.
    origins: { form: config.stripe ? [paymentOrigin(config.stripe)] : [] },
    health: () => ({ books: settings.health() }),
    doctor: [
      settings.check('books', (inForce) => {
        const end = ratesEnd(inForce)
        // Only who has to claim interest needs its rate.
        return end < dateAt(clock()) && invoices.late().length > 0
          ? {
              state: 'warn',
              text: `the reference rates in books.json end on ${longDate(end)}: add the row that the Bank of Finland has announced, until then no late interest is claimed`,
            }
          : { state: 'ok', text: `reference rates up to ${longDate(end)}` }
      }),
      {
        check: 'payment',
        look: () => ({
          state: 'ok',
          text: config.stripe ? 'by invoice and by Stripe' : 'by invoice; Stripe isn’t set up',
        }),
      },
      {
        check: 'gift card payments',
        look() {
          const wrong = wrongCardUses(orders, shop)
          return wrong.length === 0
            ? { state: 'ok', text: 'what gift cards paid is what their orders have' }
            : { state: 'fail', text: `orders and gift cards disagree: ${wrong.join(', ')}` }
        },
      },
      {
        check: 'oss',
        look() {
          const { net, state } = ossNow()
          const of = `${euros(net)} of ${euros(ossThreshold)} sold to consumers in other EU countries this year`
          return state === 'below' || shop.registrations.ossFrom() !== null
            ? { state: 'ok', text: of }
            : { state: 'warn', text: `${of}: register for the One Stop Shop` }
        },
      },
    ],
  }
}

/** Orders of which a gift card has paid another sum than they have; there are none. */
const wrongCardUses = (orders: OrderStore, { giftCards }: ShopFeature): string[] =>
  giftCards.uses().flatMap(({ order: id, amount, back }) => {
    const order = id === null ? null : orders.findId(id)
    if (!order) return []
    const isBooked = orders.paymentsOf(order.id).some(({ source }) => source === 'gift-card')
    // Before it has its invoice, an order only holds what its card pays.
    const isHeld = ['waiting', 'pending'].includes(order.state)
    const paid = isBooked ? orders.paidByGiftCard(order.id) : isHeld ? amount : 0
    return order.giftCardAmount === amount && amount - back === paid ? [] : [order.number]
  })

/** What staff's digest says of orders that cannot go on without them. */
const attentionLine = (orders: OrderStore): DigestLine => ({
  count: [...orders.list({ state: 'attention' })].length,
  what: 'paid orders that need attention',
  command: 'pitlane orders list --state attention',
  group: 'Orders to check',
})

/** What it says of goods that have to leave. */
const packLine = (actions: OrderActions): DigestLine => ({
  count: actions.toPack().length,
  what: 'orders to pack',
  command: 'pitlane orders pack',
  group: 'Orders to pack',
})

/** What it says of withdrawals that are not paid back. */
const withdrawalLine = (actions: OrderActions): DigestLine => ({
  count: actions.withdrawals.cases().length,
  what: 'withdrawals to settle',
  one: 'withdrawal to settle',
  command: 'pitlane orders withdrawals',
  group: 'Withdrawals',
})

/** What it says of refunds by card that came back, and have to go another way. */
const failedRefundLine = (actions: OrderActions): DigestLine => ({
  count: actions.payouts().filter(({ replaces }) => replaces !== null).length,
  what: 'failed card refunds to pay at the bank',
  one: 'failed card refund to pay at the bank',
  command: 'pitlane orders payouts',
  group: 'Failed refunds',
})

/** What it says of money that they have to send back at the bank. */
const payoutLine = (actions: OrderActions): DigestLine => ({
  count: actions.payouts().filter(({ method, replaces }) => method === 'bank' && replaces === null)
    .length,
  what: 'refunds to pay at the bank',
  one: 'refund to pay at the bank',
  command: 'pitlane orders payouts',
  group: 'Refunds to pay',
})

/** What it says of orders that were paid twice, or too much: the rest goes back once staff say so. */
const overpaidLine = (actions: OrderActions): DigestLine => ({
  count: actions.overpaid().length,
  what: 'overpaid orders',
  one: 'overpaid order',
  command: 'pitlane orders pay-back <order>',
  group: 'Overpaid orders',
})

/** What it says of payments that a dispute or Stripe's dashboard took back: their credit note is missing. */
const wentBackLine = (actions: OrderActions): DigestLine => ({
  count: actions.wentBack().length,
  what: 'payments that went back without a credit note',
  one: 'payment that went back without a credit note',
  command: 'pitlane orders credit <order>',
  group: 'Payments that went back',
})

/** What it says of invoices that are late: staff call, or leave it to the reminders. */
const lateLine = (actions: OrderActions): DigestLine => ({
  count: actions.lateInvoices().length,
  what: 'late invoices',
  one: 'late invoice',
  command: 'pitlane orders list --status open',
  group: 'Late invoices',
})

/** What it says of orders that wait for them, or for the link in their email. */
const waitingLine = (orders: OrderStore): DigestLine => ({
  count: [...orders.list({ state: 'waiting' })].length,
  what: 'orders on hold',
  one: 'order on hold',
  command: 'pitlane orders list --status waiting',
  group: 'Orders on hold',
})

/** Where the payment pages are: Stripe's own, or beside another base of its API. */
const paymentOrigin = ({ apiBase }: { apiBase: string | null }) =>
  apiBase ? new URL(apiBase).origin : 'https://checkout.stripe.com'
