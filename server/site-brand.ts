import type { Config } from './config.ts'
import type { Content } from './content/source.ts'
import type { Brand } from './mail/message.ts'
import { withFallback } from './timeout.ts'

/** Milliseconds that an email waits for the settings. */
const settingsTimeout = 3_000

/** Who the site is in its emails. A content service that is down must not hold back email for long. */
export async function readSiteBrand(
  content: Content,
  { siteUrl }: Pick<Config, 'siteUrl'>,
): Promise<Brand> {
  const settings = content.rows('settings').then(
    ([row]) => row ?? null,
    () => null,
  )
  const known = await withFallback(settings, settingsTimeout, null)
  if (!known) return { name: 'Our website', email: null, siteUrl, imprint: '' }
  const { brand, email, legal_name, street, postal_code, city, country, business_id } = known
  const imprint = [
    legal_name ?? brand,
    street,
    [postal_code, city].filter(Boolean).join(' '),
    country,
    business_id && `Business\u00a0ID\u00a0${business_id}`,
  ]
  return { name: brand, email, siteUrl, imprint: imprint.filter(Boolean).join(' · ') }
}
