import { dateAt } from '#shared/civil-dates.ts'
import { grossOf, vatRate } from '#shared/money.ts'
import { serviceSlug } from '#shared/slug.ts'
import type { Content } from '../content/source.ts'
import { withTimeout } from '../timeout.ts'
import { fallbackServices } from './fallback-services.ts'

/** A service as others offer it: prices are cents including VAT, `rate` in per cent. */
export type OfferedService = {
  slug: string
  title: string
  description: string
  priceFrom: { gross: number; rate: number } | null
  priceNote: string | null
}

/**
 * Makes a function that gives the services in their order; our own words stand in while the content
 * service does not answer.
 * @param clock milliseconds of the epoch; the VAT rate is that of today
 */
export function createServiceList(
  content: Pick<Content, 'rows'>,
  clock: () => number,
): () => Promise<OfferedService[]> {
  return async () => {
    const rows = await withTimeout(content.rows('services')).catch(() => null)
    if (!rows) {
      return fallbackServices.map(({ slug, title, description }) => ({
        slug,
        title,
        description,
        priceFrom: null,
        priceNote: null,
      }))
    }
    const rate = vatRate('general', dateAt(clock()))
    return rows.map(({ url, title, description, price_from: net, price_note: note }) => ({
      slug: serviceSlug(url),
      title,
      description: description ?? '',
      priceFrom: net ? { gross: grossOf(net, rate), rate } : null,
      priceNote: note ?? null,
    }))
  }
}
