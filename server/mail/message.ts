/** Name and address as they are in a header; never one string, so nothing can be smuggled in. */
export type Mailbox = { name: string; address: string }

/** A file that goes with an email. */
export type Attachment = {
  filename: string
  /** Media type, such as application/pdf. */
  contentType: string
  content: Buffer | string
}

/** An invitation or its withdrawal, as mail programs put it into a calendar (RFC 6047). */
export type CalendarPart = {
  method: 'REQUEST' | 'CANCEL' | 'PUBLISH'
  /** The iCalendar object; its METHOD must be the same. */
  ics: string
  /** Name of the file that programs without calendars show. */
  filename?: string
}

/** What a message says, in both its parts. */
export type Message = {
  subject: string
  text: string
  html: string
  replyTo?: Mailbox
  /** Further header fields, all of them our own words. */
  headers?: Readonly<Record<string, string>>
  attachments?: readonly Attachment[]
  calendar?: CalendarPart
  /** The button in it, for a summary that has the text alone; no part of what is sent. */
  button?: { label: string; url: string }
}

/** Who the site is, in emails. */
export type Brand = {
  name: string
  email: string | null
  /** The site's origin, without a slash at its end. */
  siteUrl: string
  /** What the UIDs of calendar entries end in: where the site first was, wherever it has moved. */
  uidHost: string
  /** Name, address and business id of the company in one line, as the law requires them; may be empty. */
  imprint: string
}

/**
 * Reads a mailbox as MAIL_FROM and STAFF_EMAIL have it: an address, or `Name <address>`.
 * The configuration has already been checked.
 */
export function mailbox(text: string): Mailbox {
  const opening = text.lastIndexOf('<')
  if (opening < 0) return { name: '', address: text.trim() }
  const name = text.slice(0, opening).trim()
  const isQuoted = name.length > 1 && name.startsWith('"') && name.endsWith('"')
  return {
    name: isQuoted ? name.slice(1, -1) : name,
    address: text
      .slice(opening + 1)
      .replace('>', '')
      .trim(),
  }
}
