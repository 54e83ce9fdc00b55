import { assetUrl } from '#shared/images.ts'
import { html, type Markup } from '../../text/markup.ts'
import type { Platform } from '../../feature.ts'
import type { ShopFeature } from '../../shop/feature.ts'
import { withFallback } from '../../concurrency/timeout.ts'
import type { Order, OrderLine } from '../order.ts'

/** The pictures of the products of an order, by the lines that they belong to. */
export type LinePictures = ReadonlyMap<OrderLine, Markup>

/** Pixels of a picture as mail programs show it; it is sent with twice as many. */
const shownSize = 72
const sentSize = 192

/** Milliseconds that an email waits for what is known of a picture; it goes out without it, too. */
const maxWait = 2_000

/**
 * Creates the product pictures of order emails: each by its first picture, from the site, as JPEG,
 * which every mail program reads. What is no longer sold, or has none, goes without.
 */
export const linePictures =
  (
    { content, config }: Pick<Platform, 'content' | 'config'>,
    { catalogue }: Pick<ShopFeature, 'catalogue'>,
  ) =>
  async ({ lines }: Pick<Order, 'lines'>): Promise<LinePictures> => {
    const found = await Promise.all(
      lines.map(async (line) => {
        const product = line.variantId === null ? null : catalogue.ofVariant(line.variantId)
        const given = product?.published ? product.pictures[0] : undefined
        const asked = content.picture(given).catch(() => null)
        const picture = given ? await withFallback(asked, maxWait, null) : null
        if (!picture || picture.width === null) return null
        const path = assetUrl(picture.id, {
          width: sentSize,
          height: sentSize,
          fit: 'cover',
          format: 'jpg',
          version: picture.version,
        })
        const src = new URL(path, config.siteUrl).href
        const size = String(shownSize)
        return [
          line,
          html`<img
            src="${src}"
            alt="${picture.alt || line.title}"
            width="${size}"
            height="${size}"
            style="display:block;margin:0 0 6px;width:${size}px;height:${size}px;font-size:11px;line-height:1.2;overflow:hidden"
          />`,
        ] as const
      }),
    )
    return new Map(found.filter((each) => each !== null))
  }
