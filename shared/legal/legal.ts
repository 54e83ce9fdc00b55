/** One version of a legal document. */
export type DocumentVersion = { version: string; date: string; change: string }

const plainer = 'Clearer wording; nothing changes in substance.'

/** The versions of every legal document, newest first. */
export const legalVersions = {
  privacy: [
    {
      version: '1.4',
      date: '2026-11-28',
      change:
        'Who else gets data for a booking, an order or a payment by card, and what the check of a VAT ID tells us; nothing else is kept or shared than before.',
    },
    {
      version: '1.3',
      date: '2026-11-25',
      change: 'Our own count also covers where visits come from and what they end in.',
    },
    { version: '1.2', date: '2026-11-23', change: plainer },
    {
      version: '1.1',
      date: '2026-11-22',
      change:
        'Our own count of page views and how to switch it off; bookings, orders and invoices.',
    },
    { version: '1.0', date: '2026-11-20', change: 'First version.' },
  ],
  terms: [
    {
      version: '1.11',
      date: '2026-11-29',
      change:
        'Withdrawal: where the last of the 14 days isn’t a working day, the next working day is the last.',
    },
    {
      version: '1.10',
      date: '2026-11-28',
      change: 'Bookings of companies: no right of withdrawal where they name their VAT ID.',
    },
    {
      version: '1.9',
      date: '2026-11-27',
      change: 'Offers are open until the day they name, which is not always 14 days.',
    },
    {
      version: '1.8',
      date: '2026-11-26',
      change:
        'Orders of companies in the shop: no right of withdrawal, and files as soon as they are paid.',
    },
    {
      version: '1.7',
      date: '2026-11-26',
      change: 'Gift cards: what they pay, how long they work, and what goes back onto them.',
    },
    {
      version: '1.6',
      date: '2026-11-26',
      change: 'Discount codes in the shop: one for each order, and what is refunded with one.',
    },
    {
      version: '1.5',
      date: '2026-11-25',
      change:
        'Payment before delivery, pickup, delivery times on each product’s page, and withdrawal from a part of an order.',
    },
    {
      version: '1.4',
      date: '2026-11-24',
      change:
        'Bookings: offers are accepted by link, and what cancelling costs follows one set of rules.',
    },
    { version: '1.3', date: '2026-11-23', change: plainer },
    {
      version: '1.2',
      date: '2026-11-23',
      change:
        'Service prices are shown excluding VAT first, with the price including VAT beside them.',
    },
    {
      version: '1.1',
      date: '2026-11-22',
      change: 'Shop orders, and the page where consumers withdraw from them.',
    },
    { version: '1.0', date: '2026-11-20', change: 'First version.' },
  ],
  cookies: [
    {
      version: '1.3',
      date: '2026-11-25',
      change: 'Our own count also covers where visits come from and what they end in.',
    },
    { version: '1.2', date: '2026-11-23', change: plainer },
    {
      version: '1.1',
      date: '2026-11-22',
      change: 'A separate switch for third-party analytics; the shopping cart.',
    },
    { version: '1.0', date: '2026-11-20', change: 'First version.' },
  ],
  accessibility: [
    { version: '1.1', date: '2026-11-23', change: plainer },
    { version: '1.0', date: '2026-11-20', change: 'First version.' },
  ],
} as const satisfies Record<string, readonly DocumentVersion[]>
