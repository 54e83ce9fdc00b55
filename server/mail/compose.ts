import { mailbox, type Brand, type Mailbox, type Message } from './message.ts'
import type { Mail } from './schema.ts'
import type { MailTemplate } from './template.ts'

/** A message on its way to one person. */
export type OutgoingMail = Message & {
  from: Mailbox
  to: Mailbox
  /** Without angle brackets. */
  messageId: string
  /** Name of the file, where emails become files; without its ending. */
  file: string
}

/** Turns a row of the outbox into an email, or into the reason why there is none to send. */
export type Compose = (mail: Mail) => Promise<OutgoingMail | { skip: string }>

/**
 * Makes the composer. Messages are rendered when they are sent, from what is known at that moment.
 * @param templates by the kind of the row; asked for at each email
 * @param brand who we are; must answer soon, with whatever is known
 */
export function createCompose({
  from,
  templates,
  brand,
}: {
  from: string
  templates: () => ReadonlyMap<string, MailTemplate>
  brand: () => Promise<Brand>
}): Compose {
  const sender = mailbox(from)
  return async (mail) => {
    const template = templates().get(mail.kind)
    if (!template) throw new Error(`No email template for ${mail.kind}.`)
    const who = await brand()
    const rendered = await template.render(mail, who)
    if ('skip' in rendered) return rendered
    // Someone who only calls has none, and an email without one would be tried again for days.
    if (rendered.to.address === '') return { skip: 'there is no email address' }
    const { button: _, ...message } = rendered.message
    return {
      ...message,
      from: { name: sender.name || who.name, address: sender.address },
      to: rendered.to,
      messageId: mail.messageId,
      file: fileName(mail),
    }
  }
}

/** Sorts by time and tells reference and kind; the same in every attempt. */
export function fileName({
  queuedAt,
  reference,
  kind,
  id,
}: Pick<Mail, 'queuedAt' | 'reference' | 'kind' | 'id'>): string {
  const time = new Date(queuedAt).toISOString().slice(0, 19).replaceAll(':', '-')
  return `${time}-${reference ?? id}-${kind}`
}
