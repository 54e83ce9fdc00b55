import type { Config } from './config.ts'
import type { Row } from './collections.ts'
import type { Content } from './content/source.ts'
import { mailbox, type Brand } from './mail/message.ts'
import { waitAtMost } from './concurrency/timeout.ts'

/** Milliseconds that an email waits for the settings. */
const settingsTimeout = 3_000

/** Who the settings say that the site is. */
function brandOf(known: Row<'settings'>, where: Pick<Brand, 'siteUrl' | 'uidHost'>): Brand {
  const { brand, email, legal_name, street, postal_code, city, country, business_id } = known
  const imprint = [
    legal_name ?? brand,
    street,
    [postal_code, city].filter(Boolean).join(' '),
    country,
    business_id && `Business\u00a0ID\u00a0${business_id}`,
  ]
  return { name: brand, email, ...where, imprint: imprint.filter(Boolean).join(' · ') }
}

/**
 * Makes a function that tells who the site is in its emails. A content service that is down, or a busy
 * machine, must not hold back email for long: then the last answer stands in, and before there is one
 * the name that emails come from.
 * @param uidHost gives {@link Brand.uidHost}
 */
export function createSiteBrand(
  content: Content,
  config: Pick<Config, 'siteUrl' | 'mail'>,
  uidHost: () => string,
): () => Promise<Brand> {
  let last: Brand | null = null
  return async () => {
    // A command before the first start doesn't know the address, which is no matter unless it writes an email.
    const { siteUrl, mail } = config
    const where = { siteUrl, uidHost: uidHost() }
    const reading = content.rows('settings').then(
      ([row]) => (row ? (last = brandOf(row, where)) : last),
      () => last,
    )
    await waitAtMost(reading, settingsTimeout)
    const name = mailbox(mail.from).name || new URL(siteUrl).hostname
    return last ?? { name, email: null, ...where, imprint: '' }
  }
}
