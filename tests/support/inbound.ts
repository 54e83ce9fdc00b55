import { mailFiles } from './mail-files.ts'
import { saveEnquiry, settled } from './enquiry.ts'
import { startImap, type Imap } from './imap.ts'
import { startSite, type Site } from './site.ts'

/** A site that reads a mailbox, with a ticket whose confirmation and reply went out. */
export type Inbound = AsyncDisposable & {
  site: Site
  imap: Imap
  /** Message-ID of our reply, with angle brackets. */
  reply: string
  /** Lets the site look into its mailbox. */
  receive(): Promise<void>
}

const staff = 'Office <staff@example.com>'

/** What a reply of staff says in {@link startInbound}. */
export const replyText = 'Yes, we’re free. Shall we call?'

/** Starts a mailbox and a site that reads it; jobs run when {@link Inbound.receive} says so. */
export async function startInbound(
  options: Parameters<typeof startSite>[0] = {},
): Promise<Inbound> {
  const imap = await startImap()
  const site = await startSite({
    ...options,
    sending: false,
    env: { IMAP_URL: imap.url, STAFF_EMAIL: staff, ...options.env },
  })
  site.context.outbox.start()
  await saveEnquiry(site)
  await site.context.features.contact.actions.reply(
    'abc123',
    { text: replyText, state: null },
    { name: 'Noora', actor: 'Noora' },
  )
  await settled(site)
  const reply = mailFiles(site.dataDir).find(({ subject }) => subject.startsWith('Re:'))!
  return {
    site,
    imap,
    reply: reply.headers['message-id']!,
    async receive() {
      site.clock.advance(60_000)
      await site.context.jobs.runDue()
    },
    async [Symbol.asyncDispose]() {
      await site[Symbol.asyncDispose]()
      await imap[Symbol.asyncDispose]()
    },
  }
}

/** Another email each time, unless it says its own Message-ID. */
let count = 0

/**
 * An email as a mail program of the visitor writes it.
 * @param fields more header fields, or others; null leaves one out
 */
export function email(
  fields: Record<string, string | null> = {},
  body = 'Yes, call me on Monday.',
): string {
  count += 1
  const all: Record<string, string | null> = {
    From: 'Aino Virtanen <aino@example.com>',
    To: staff,
    Subject: 'Re: Race weekend in Imatra [Ticket: abc123]',
    'Message-ID': `<answer-${count}@mail.example.com>`,
    Date: 'Fri, 20 Nov 2026 14:10:00 +0200',
    'MIME-Version': '1.0',
    'Content-Type': 'text/plain; charset=utf-8',
    ...fields,
  }
  const header = Object.entries(all)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}: ${value}`)
  return [...header, '', body, ''].join('\r\n')
}
