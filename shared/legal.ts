/** A legal document's version; the newest first. */
export type DocumentVersion = { version: string; date: string; change: string }

/** Every legal document, with its versions. */
export const legalVersions = {
  privacy: [
    {
      version: '1.1',
      date: '2026-11-22',
      change:
        'Our own count of page views, and the switch that ends it; bookings, orders and invoices.',
    },
    { version: '1.0', date: '2026-11-20', change: 'First version.' },
  ],
  terms: [
    {
      version: '1.1',
      date: '2026-11-22',
      change: 'Orders in the shop, and the page on which consumers withdraw from them.',
    },
    { version: '1.0', date: '2026-11-20', change: 'First version.' },
  ],
  cookies: [
    {
      version: '1.1',
      date: '2026-11-22',
      change: 'Measurement by others has a switch of its own; the cart of the shop.',
    },
    { version: '1.0', date: '2026-11-20', change: 'First version.' },
  ],
  accessibility: [{ version: '1.0', date: '2026-11-20', change: 'First version.' }],
} as const satisfies Record<string, readonly DocumentVersion[]>
