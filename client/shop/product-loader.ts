import { redirect, type LoaderFunctionArgs } from 'react-router'
import { shareImage } from '#shared/share-image.ts'
import { getProduct } from '#shared/shop.ts'
import { siteOf } from '../site/loading.ts'
import { shownPicture } from '../ui/shown-picture.ts'
import { productPreview } from './list-loader.ts'

/** A product; a former handle leads to the present one for good. */
export async function loader(args: LoaderFunctionArgs) {
  const { api } = siteOf(args)
  const { search, searchParams: query } = new URL(args.request.url)
  const found = await api(getProduct, { handle: args.params.handle ?? '' })
  if ('movedTo' in found) throw redirect(found.movedTo + search, 301)
  const { pictures, related, ...product } = found
  const [first] = pictures
  const asked = product.variants.find(({ variant }) => variant === query.get('variant'))
  const free = product.variants.find(({ soldOut }) => !soldOut)
  return {
    ...product,
    pictures: pictures.flatMap((picture) => {
      const large = shownPicture(picture, '4:5')
      const whole = shownPicture(picture)
      return large && whole ? [{ large, whole }] : []
    }),
    shared: first ? shareImage(first) : null,
    related: related.map(productPreview),
    isNet: query.get('prices') === 'net',
    chosen: (asked ?? free ?? product.variants[0])?.variant ?? null,
  }
}

/** The data of a product's page. */
export type ProductData = Awaited<ReturnType<typeof loader>>
