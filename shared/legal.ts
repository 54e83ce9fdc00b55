/** A legal document's version; the newest first. */
export type DocumentVersion = { version: string; date: string; change: string }

/** Every legal document, with its versions. */
export const legalVersions = {
  privacy: [
    {
      version: '1.1',
      date: '2026-11-23',
      change: 'Our own count of page views, and the switch that ends it.',
    },
    { version: '1.0', date: '2026-11-20', change: 'First version.' },
  ],
  terms: [{ version: '1.0', date: '2026-11-20', change: 'First version.' }],
  cookies: [
    {
      version: '1.1',
      date: '2026-11-23',
      change: 'Measurement by others has a switch of its own.',
    },
    { version: '1.0', date: '2026-11-20', change: 'First version.' },
  ],
  accessibility: [{ version: '1.0', date: '2026-11-20', change: 'First version.' }],
} as const satisfies Record<string, readonly DocumentVersion[]>

/** How long a ticket is kept, in months. */
export const ticketMonths = 24

/** Something that is kept of people: why, on which ground of the GDPR, and for how long. */
export type Retention = { what: string; data: string; ground: string; kept: string }

/** What the server keeps of people; the privacy policy is made from it. */
export const retention: readonly Retention[] = [
  {
    what: 'Answering your message',
    data: 'Name, e-mail address, subject, message, ticket number, time',
    ground: 'Steps before a contract, or our legitimate interest in answering (Art. 6(1)(b), (f))',
    kept: `${ticketMonths} months after the message came in`,
  },
  {
    what: 'E-mails about your message',
    data: 'Your address and the text of the confirmation and of our notice, sent by SMTP',
    ground: 'The same as for the message',
    kept: 'As long as the message they belong to',
  },
  {
    what: 'Newsletter',
    data: 'E-mail address; as a proof of your consent its time, its wording, the page that you asked from, and a keyed hash of your network',
    ground: 'Your consent (Art. 6(1)(a)), given by confirming a link that we mail to you',
    kept: 'Until you unsubscribe, and from then on that you did; the hash, and an address that is never confirmed, for 30 days',
  },
  {
    what: 'Client zone',
    data: 'Name and e-mail addresses of the client, a keyed hash of the secret code, what was opened and downloaded and when, the name that you give as you enter',
    ground: 'Our contract with the client (Art. 6(1)(b))',
    kept: 'As long as the client has a panel; a session for 30 days at most',
  },
  {
    what: 'Shared folders',
    data: 'Favourites and comments, the name under which you send them, and a keyed hash of the cookie by which we know them again',
    ground: 'Our contract with the client (Art. 6(1)(b))',
    kept: 'As long as the folder',
  },
  {
    what: 'Counting',
    data: 'How often each kind of page was opened and its forms were used, pages of folders were opened, short links followed and cookies decided about, by day; for folders also a keyed hash of the day that keeps one visitor from counting twice',
    ground: 'Our legitimate interest in knowing what is used (Art. 6(1)(f))',
    kept: 'The counts, which name nobody, for good; the hash for two days',
  },
  {
    what: 'Keeping the service safe',
    data: 'Time, path, status, and your network address without its last part',
    ground: 'Our legitimate interest in a site that works (Art. 6(1)(f))',
    kept: 'In the log of the server, until newer lines take the place of the oldest; never joined with your message',
  },
  {
    what: 'Bookkeeping',
    data: 'Invoices and orders of clients',
    ground: 'The Finnish Accounting Act (Art. 6(1)(c))',
    kept: 'Vouchers 6 years, books 10 years',
  },
]
