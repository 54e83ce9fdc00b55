import { useLoaderData } from 'react-router'
import { shopTexts } from '#shared/shop/page-texts.ts'
import { paths } from '#shared/paths.ts'
import { productCategories } from '#shared/shop/limits.ts'
import { Head } from '../../site/head/head.tsx'
import { staticPart } from '../../site/static-part.tsx'
import { useIdentity } from '../../site/data/identity.ts'
import button from '../../ui/button.module.css'
import { ChoiceLinks } from '../../ui/lists/choice-links.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { Pager } from '../../ui/lists/pager.tsx'
import type { ShopData } from './list-loader.ts'
import styles from './list-page.module.css'
import { ListTools } from './list-tools.tsx'
import { categoryTitles, viewHref, type View } from '../view.ts'

const Cards = staticPart(() => import('./list-cards.static.tsx'))

/** The shop: products under filters, sorted, searched and paged by the address. */
export function Component() {
  const { view, shop } = useLoaderData<ShopData>()
  const { brand } = useIdentity()
  const { category, q } = view
  const title = category ? categoryTitles[category] : 'Shop'
  return (
    <>
      <Head
        title={category ? `${title} — Shop` : shopTexts.title}
        description={`Fine art prints, photo licences, digital files and fixed-price media services from ${brand}. Prices include VAT. No account needed.`}
        hidden={Boolean(q) || view.prices === 'net'}
      />
      <PageHead
        label={category ? <a href={paths.shop()}>Shop</a> : 'Shop'}
        title={category ? title : shopTexts.heading}
        lead={shopTexts.lead}
      />
      {shop ? <Products view={view} shop={shop} /> : <Unknown />}
    </>
  )
}

type ListProps = { view: View; shop: NonNullable<ShopData['shop']> }

function Products({ view, shop }: ListProps) {
  const { products, page, pages } = shop
  const isNet = view.prices === 'net'
  if (products.length === 0 && !view.category && !view.kind && !view.q) return <Unstocked />
  return (
    <>
      <Tools view={view} shop={shop} />
      {products.length > 0 ? (
        <Cards key={viewHref(view, { page: String(page) })} products={products} isNet={isNet} />
      ) : (
        <EmptyState title="No matches">
          <p>Try fewer filters, or tell us what you’re after.</p>
          <a href={paths.shop()} className={button.button}>
            Clear filters
          </a>
        </EmptyState>
      )}
      <Pager
        page={page}
        pages={pages}
        href={(to) => viewHref(view, { page: to > 1 ? String(to) : undefined })}
      />
    </>
  )
}

/** A shop that has no products yet, as it begins with a content service of its own. */
const Unstocked = () => (
  <EmptyState title="Nothing for sale yet">
    <p>Looking for a print, a licence or a file? Tell us, and we’ll see what we can do.</p>
    <a href={paths.contact()} data-contact="The shop" className={button.button}>
      Contact us
    </a>
  </EmptyState>
)

/** Filters, search and order in one row, and what is shown under them. */
function Tools({ view, shop: { total, counts, corrected, examples } }: ListProps) {
  const isNet = view.prices === 'net'
  const of = (tally: Record<string, number>) => Object.values(tally).reduce((a, b) => a + b, 0)
  const found = total === 1 ? '1 product' : `${total} products`
  return (
    <div className={`wrap ${styles.tools}`}>
      <div className={styles.row}>
        <ChoiceLinks
          label="Category"
          links={[
            {
              label: 'All',
              href: viewHref(view, { category: undefined }),
              chosen: !view.category,
              count: of(counts.category),
            },
            ...productCategories.map((each) => ({
              label: categoryTitles[each],
              href: viewHref(view, { category: each }),
              chosen: view.category === each,
              count: counts.category[each] ?? 0,
            })),
          ]}
        />
        <ListTools view={view} examples={examples} />
      </div>
      <div className={styles.said}>
        <p role="status">
          {corrected === null
            ? `${found}${view.q ? ` for “${view.q}”` : ''}`
            : `Nothing for “${view.q ?? ''}”. ${found} for “${corrected}”`}
        </p>
        <p>
          Prices {isNet ? 'without' : 'with'} VAT.{' '}
          <a href={viewHref(view, { prices: isNet ? undefined : 'net', page: view.page })}>
            {isNet ? 'Show prices with VAT' : 'Show net prices for companies'}
          </a>
        </p>
      </div>
    </div>
  )
}

const Unknown = () => (
  <EmptyState title="The shop isn’t loading">
    <p>We couldn’t load the products. Try again in a minute.</p>
    <a href={paths.shop()} className={button.button}>
      Try again
    </a>
  </EmptyState>
)
