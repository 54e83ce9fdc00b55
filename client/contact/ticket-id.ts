import { contactLimits } from '#shared/contact-limits.ts'

const characters = 'abcdefghijklmnopqrstuvwxyz0123456789'
/** Bytes from here on would make the first characters likelier than the last. */
const fair = 256 - (256 % characters.length)

/** A random ticket id: every one is equally likely. */
export function drawTicketId(): string {
  let id = ''
  while (id.length < contactLimits.ticketIdLength) {
    const [byte = fair] = crypto.getRandomValues(new Uint8Array(1))
    if (byte < fair) id += characters[byte % characters.length]
  }
  return id
}
