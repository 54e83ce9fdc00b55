import { confirmationSubject, noticeSubject } from '#shared/contact.ts'
import { thankYouText } from '#shared/contact-texts.ts'
import { helsinki } from '#shared/working-days.ts'
import type { Ticket } from '../contact/store.ts'
import { html, type Markup } from '../markup.ts'
import type { CallData } from './calls.ts'
import { wordsOf } from './words.ts'

/** Name and address as they stand in a header; never one string, so that nothing can be smuggled in. */
export type Mailbox = { name: string; address: string }

/** What a message says, in both its parts. */
export type Message = {
  subject: string
  text: string
  html: string
  replyTo?: Mailbox
  /** Further header fields, all of them our own words. */
  headers?: Readonly<Record<string, string>>
}

/** Who the site is, in mails. */
export type Brand = { name: string; email: string | null }

/**
 * The confirmation to a visitor (spec section 7). It repeats nothing that the visitor wrote, so
 * that nobody can send words of his own to a stranger through us.
 */
export function confirmation({ ticketId, brand }: { ticketId: string; brand: Brand }): Message {
  const more = brand.email
    ? `If you want to add something, write to ${brand.email} and mention your ticket number.`
    : 'If you want to add something, mention your ticket number.'
  const stranger = 'If you did not write to us, you can ignore this message.'
  return {
    subject: confirmationSubject,
    text: `Hello,\n\n${thankYouText(ticketId)}\n\n${more}\n\n${brand.name}\n\n-- \n${stranger}\n`,
    html: letter(
      confirmationSubject,
      html`<p>Hello,</p>
        <p>${thankYouText(ticketId)}</p>
        <p style="font-size:20px;letter-spacing:2px"><strong>${ticketId}</strong></p>
        <p>${more}</p>
        <p>${brand.name}</p>
        <p style="color:#5c6066;font-size:13px">${stranger}</p>`,
    ),
  }
}

/** The notice to staff (spec section 7), with the visitor as reply-to. */
export function notice({ ticket }: { ticket: Ticket }): Message {
  const rows = [
    ['Ticket', ticket.ticketId],
    ['Name', ticket.name],
    ['Email', ticket.email],
    ['Subject', ticket.subject],
    ['Received', officeTime(ticket.receivedAt)],
    ['Reply due', officeTime(ticket.dueAt)],
  ] as const
  const subject = noticeSubject(ticket.name, ticket.ticketId)
  return {
    subject,
    replyTo: { name: ticket.name, address: ticket.email },
    text: `${rows.map(([name, value]) => `${name}: ${value}`).join('\n')}\n\n${ticket.message}\n`,
    html: letter(subject, html`${table(rows)}${paragraphs(ticket.message)}`),
  }
}

/**
 * Passes a notice call on whose ticket never arrived: its words, without its markup.
 * @param call as it was remembered
 */
export function recordMissing(call: CallData): Message {
  const content = textOf(call.htmlContent ?? '')
  const subject = `[Record missing] ${call.subject ?? ''}`.trim()
  const why =
    'Record missing: this notice came from the website and is marked record missing, since the ' +
    'message itself was never saved. What follows is all there is; it is not in the tickets. Check the sender before you answer.'
  return {
    subject,
    ...(call.replyTo && { replyTo: { name: '', address: call.replyTo } }),
    text: `${why}\n\nSender: ${call.replyTo ?? 'unknown'}\n\n${content}\n`,
    html: letter(
      subject,
      html`<p><strong>${why}</strong></p>
        ${table([['Sender', call.replyTo ?? 'unknown']])}${paragraphs(content)}`,
    ),
  }
}

/** What waits for staff; only ever sent when something does. */
export type DigestCounts = { quarantined: number; failed: number; held: number }

/** The daily reminder to staff of what nobody would see otherwise. */
export function staffDigest(counts: DigestCounts): Message {
  const lines = [
    [counts.quarantined, 'in quarantine', 'pitlane tickets list --status quarantined'],
    [counts.failed, 'mails that could not be delivered', 'pitlane mail list --failed'],
    [counts.held, 'notices without a saved message', 'pitlane mail held'],
  ] as const
  const rows = lines
    .filter(([count]) => count > 0)
    .map(([count, what, command]) => [`${count} ${what}`, command] as const)
  const subject = 'Website: messages are waiting for you'
  return {
    subject,
    text: `${rows.map(([what, command]) => `${what}: ${command}`).join('\n')}\n`,
    html: letter(subject, table(rows)),
  }
}

/** 20.11.2026 at 14.30, as offices in Finland write it. */
function officeTime(at: number): string {
  const { date, time } = helsinki(at)
  const [year, month, day] = date.split('-').map(Number)
  return `${day}.${month}.${year} at ${time.slice(0, 5).replace(':', '.')} (Helsinki)`
}

/** A message as a whole HTML document. */
export function letter(title: string, body: Markup): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${title}</title>
      </head>
      <body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif;color:#16181c">
        ${body}
      </body>
    </html>`.markup
}

const table = (rows: readonly (readonly [string, string])[]) =>
  html`<table cellpadding="4">
    ${rows.map(
      ([name, value]) =>
        html`<tr>
          <th align="left" valign="top">${name}</th>
          <td>${value}</td>
        </tr>`,
    )}
  </table>`

const paragraphs = (text: string) =>
  html`${text
    .split(/\n{2,}/)
    .map((paragraph) => html`<p style="white-space:pre-wrap">${paragraph}</p>`)}`

/** The words of some HTML, with line breaks where its blocks end. */
function textOf(markup: string): string {
  const broken = markup.replaceAll(/<br\s*\/?>|<\/(?:p|div|tr|li|h[1-6])>/gi, '$&\n')
  return wordsOf(broken)
}
