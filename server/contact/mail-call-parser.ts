import type { MailCall } from '#shared/contact.ts'

/** What finds the ticket of a call, and what staff read when there is none. */
export type CallData = {
  /** Six-character words of a confirmation, one of which is its ticket number. */
  candidates?: readonly string[]
  to?: string
  subject?: string
  htmlContent?: string
  replyTo?: string | null
}

/** Tells the two mails of a submission apart, and finds the ticket's number in them. */
export function parseCall({ subject, htmlContent, to, replyTo }: MailCall): {
  kind: 'notice' | 'confirmation'
  ticketId: string | null
  data: CallData
} {
  if (/^New message from website\b/i.test(subject)) {
    return {
      kind: 'notice',
      ticketId: subject.match(/\[Ticket: ([a-z0-9]{6})\]/)?.[1] ?? null,
      data: {
        subject,
        htmlContent,
        replyTo: typeof replyTo === 'string' ? replyTo : (replyTo?.email ?? null),
      },
    }
  }
  const words = `${subject} ${htmlContent.replaceAll(/<[^<>]*>/g, ' ')}`.match(
    /(?<![a-z0-9])[a-z0-9]{6}(?![a-z0-9])/gi,
  )
  return {
    kind: 'confirmation',
    ticketId: null,
    data: { candidates: [...new Set(words)].slice(0, 200), to: to[0]!.email },
  }
}
