import { useLoaderData } from 'react-router'
import { paths } from '#shared/paths.ts'
import { productCategories, productKinds, productSorts } from '#shared/shop-limits.ts'
import { Head } from '../site/head.tsx'
import { useIdentity } from '../site/identity.ts'
import button from '../ui/button.module.css'
import { ChoiceLinks } from '../ui/choice-links.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { Pager } from '../ui/pager.tsx'
import type { ShopData } from './list-loader.ts'
import styles from './list-page.module.css'
import { ListTools } from './list-tools.tsx'
import { ProductCard } from './product-card.tsx'
import cards from './product-card.module.css'
import { categoryTitles, kindTitles, sortTitles, viewHref, type View } from './view.ts'

/** The shop: products under filters, sorted, searched and paged by the address. */
export function Component() {
  const { view, shop } = useLoaderData<ShopData>()
  const { brand } = useIdentity()
  const { category, q } = view
  const title = category ? categoryTitles[category] : 'Shop'
  return (
    <>
      <Head
        title={category ? `${title} — Shop` : 'Shop: prints, licences and services'}
        description={`Fine art prints, photo licences, digital files and fixed-price media services from ${brand}. Prices include VAT, orders without an account.`}
        hidden={Boolean(q) || view.prices === 'net'}
      />
      <PageHead
        label={category ? <a href={paths.shop()}>Shop</a> : 'Shop'}
        title={category ? title : 'Take the paddock home'}
        lead="Prints from our archive, licences for a single frame or a season, files for your channels, and services at a fixed price."
      />
      {shop ? <Products view={view} shop={shop} /> : <Unknown />}
    </>
  )
}

type ListProps = { view: View; shop: NonNullable<ShopData['shop']> }

function Products({ view, shop }: ListProps) {
  const { products, page, pages } = shop
  const isNet = view.prices === 'net'
  return (
    <>
      <Tools view={view} shop={shop} />
      {products.length > 0 ? (
        <ul className={`wrap ${cards.products} ${styles.products}`}>
          {products.map((product, index) => (
            <li key={product.handle}>
              <ProductCard product={product} isNet={isNet} first={index < 2} />
            </li>
          ))}
        </ul>
      ) : (
        <EmptyState title="Nothing fits all of this">
          <p>Try another word or fewer filters, or tell us what you are looking for.</p>
          <a href={paths.shop()} className={button.button}>
            Show everything
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

/** Filters, order and search, and what is shown under them. */
function Tools({ view, shop: { total, counts } }: ListProps) {
  const isNet = view.prices === 'net'
  const of = (tally: Record<string, number>) => Object.values(tally).reduce((a, b) => a + b, 0)
  return (
    <div className={`wrap ${styles.tools}`}>
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
      <ChoiceLinks
        label="Kind"
        links={[
          { label: 'All', href: viewHref(view, { kind: undefined }), chosen: !view.kind },
          ...productKinds.map((each) => ({
            label: kindTitles[each],
            href: viewHref(view, { kind: each }),
            chosen: view.kind === each,
          })),
        ]}
      />
      <ListTools view={view} sorts={productSorts.map((value) => [value, sortTitles[value]])} />
      <div className={styles.said}>
        <p role="status">
          {total === 1 ? '1 product' : `${total} products`}
          {view.q && ` for “${view.q}”`}
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
  <EmptyState title="The shop cannot be shown right now">
    <p>Our catalogue does not answer for the moment. Please try again in a minute.</p>
    <a href={paths.shop()} className={button.button}>
      Try again
    </a>
  </EmptyState>
)
