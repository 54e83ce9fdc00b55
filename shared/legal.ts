/** A legal document's version; the newest first. */
export type DocumentVersion = { version: string; date: string; change: string }

/** Every legal document, with its versions. */
export const legalVersions = {
  privacy: [{ version: '1.0', date: '2026-11-20', change: 'First version.' }],
  terms: [{ version: '1.0', date: '2026-11-20', change: 'First version.' }],
  cookies: [{ version: '1.0', date: '2026-11-20', change: 'First version.' }],
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
    data: 'E-mail address, when you asked and when you confirmed',
    ground: 'Your consent (Art. 6(1)(a)), given by confirming a link that we mail to you',
    kept: 'Until you unsubscribe; an address that is never confirmed is removed',
  },
  {
    what: 'Client zone',
    data: 'Name of the client, a keyed hash of the secret code, times of use',
    ground: 'Our contract with the client (Art. 6(1)(b))',
    kept: 'As long as the access is open',
  },
  {
    what: 'Keeping the service safe',
    data: 'Time, path, status, and your network address without its last part',
    ground: 'Our legitimate interest in a site that works (Art. 6(1)(f))',
    kept: 'A short time, in the log of the server; never joined with your message',
  },
  {
    what: 'Bookkeeping',
    data: 'Invoices and orders of clients',
    ground: 'The Finnish Accounting Act (Art. 6(1)(c))',
    kept: 'Vouchers 6 years, books 10 years',
  },
]
