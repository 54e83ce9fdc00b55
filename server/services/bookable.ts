import type { SaleUnit } from '#shared/bookings/sale-units.ts'
import type { BookableService } from '#shared/bookings/bookings.ts'
import { dateAt } from '#shared/dates/civil-dates.ts'
import { grossOf, vatRate } from '#shared/money.ts'
import type { ServicePrice } from '#shared/services.ts'
import { serviceSlug } from '#shared/text/slug.ts'
import { sentence } from '#shared/text/text.ts'
import type { Row } from '../collections.ts'
import type { Content } from '../content/source.ts'
import { withTimeout } from '../concurrency/timeout.ts'
import { fallbackServices } from './fallback-services.ts'

/** How the seven services are sold where the content doesn't say. */
const defaultUnits: Readonly<Record<string, SaleUnit>> = {
  'public-relations': 'event',
  'social-media': 'month',
  'website-design': 'project',
  'graphic-design': 'project',
  'media-outsourcing': 'month',
}

/** How a service is sold. @param said by the content */
export const saleUnitOf = (slug: string, said: SaleUnit | null | undefined): SaleUnit =>
  said ?? defaultUnits[slug] ?? 'day'

/** A service that the rules of booking know and the content doesn't: it can be asked for, without a price. */
export const bareService = (slug: string): BookableService => ({
  slug,
  title: fallbackServices.find((each) => each.slug === slug)?.title ?? slug,
  description: '',
  priceFrom: null,
  priceNote: null,
  unit: saleUnitOf(slug, null),
  includes: [],
})

/** A price as content has it, without VAT and with that of a day; null without one. @param at milliseconds of the epoch */
function servicePrice(net: number | null | undefined, at: number): ServicePrice | null {
  if (!net) return null
  const rate = vatRate('general', dateAt(at))
  return { net, gross: grossOf(net, rate), rate }
}

/** How a row's service is sold: price, unit, what is included. @param at milliseconds of the epoch */
export const saleOf = (row: Row<'services'>, at: number) => ({
  priceFrom: servicePrice(row.price_from_cents, at),
  priceNote: row.price_note ? sentence(row.price_note) : null,
  unit: saleUnitOf(serviceSlug(row.url), row.unit),
  includes: row.price_includes ?? [],
})

/**
 * Makes a function that gives the services in their order; our own words stand in while the content
 * service does not answer.
 * @param clock milliseconds of the epoch; the VAT rate is that of today
 */
export function createServiceList(
  content: Pick<Content, 'rows'>,
  clock: () => number,
): () => Promise<BookableService[]> {
  return async () => {
    const rows = await withTimeout(content.rows('services')).catch(() => null)
    if (!rows) {
      return fallbackServices.map(({ slug, description }) => ({
        ...bareService(slug),
        description,
      }))
    }
    return rows.map((row) => ({
      slug: serviceSlug(row.url),
      title: row.title,
      description: row.description ?? '',
      ...saleOf(row, clock()),
    }))
  }
}
