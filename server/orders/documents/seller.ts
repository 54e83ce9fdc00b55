import type { Platform } from '../../feature.ts'
import { withTimeout } from '../../concurrency/timeout.ts'
import { mailbox } from '../../mail/message.ts'
import type { Seller } from './invoice-document.ts'

/** Milliseconds that the content service may hold up an order. */
const settingsTimeout = 2_000

/**
 * Makes a function that tells who sells, from the settings. The last good answer stands in while the
 * content service is down: an order must not fail for that.
 */
export function createSeller({
  content,
  config,
}: Pick<Platform, 'content' | 'config'>): () => Promise<Seller> {
  let last: Seller | null = null
  return async () => {
    const [row] = await withTimeout(content.rows('settings'), settingsTimeout).catch(() => [])
    if (!row) {
      return (
        last ?? {
          name: mailbox(config.mail.from).name || new URL(config.siteUrl).hostname,
          address: [],
          street: null,
          postcode: null,
          city: null,
          businessId: null,
          vatId: null,
          email: mailbox(config.mail.staff).address,
          phone: null,
          iban: null,
          bic: null,
        }
      )
    }
    const {
      brand,
      legal_name: legal,
      street,
      postal_code: code,
      city,
      country,
      business_id: id,
    } = row
    last = {
      name: legal ?? brand ?? '',
      address: [street, [code, city].filter(Boolean).join(' '), country].filter(
        (line): line is string => Boolean(line),
      ),
      street: street ?? null,
      postcode: code ?? null,
      city: city ?? null,
      businessId: id ?? null,
      vatId: row.vat_id ?? (id ? `FI${id.replaceAll(/\D/g, '')}` : null),
      email: row.email ?? null,
      phone: row.phone ?? null,
      iban: row.iban ?? null,
      bic: row.bic ?? null,
    }
    return last
  }
}
