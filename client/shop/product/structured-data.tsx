import { paths } from '#shared/paths.ts'
import { breadcrumbs, product as productThing } from '#shared/seo.ts'
import { StructuredData } from '../../site/head/structured-data.tsx'
import type { ProductData } from './product-data.ts'
import { categoryTitles } from '../view.ts'

/** A product with its offers for search engines. */
export function ProductForMachines({ product }: { product: ProductData }) {
  const { handle, title, summary, category, pictures, variants } = product
  const path = paths.product(handle)
  return (
    <StructuredData
      things={
        import.meta.env.SSR
          ? (publisher) => [
              productThing(
                {
                  title,
                  description: summary,
                  path,
                  category: categoryTitles[category],
                  images: pictures.map(({ whole }) => whole.src),
                  offers: variants.map((variant) => ({ ...variant, price: variant.price.gross })),
                },
                publisher,
              ),
              breadcrumbs(
                [
                  { name: 'Shop', path: paths.shop() },
                  { name: categoryTitles[category], path: paths.shop({ category }) },
                  { name: title, path },
                ],
                publisher,
              ),
            ]
          : null
      }
    />
  )
}
