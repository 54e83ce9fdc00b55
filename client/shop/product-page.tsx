import { useLoaderData } from 'react-router'
import { paths } from '#shared/paths.ts'
import { Head } from '../site/head.tsx'
import { Breadcrumbs } from '../ui/breadcrumbs.tsx'
import { Facts } from '../ui/facts.tsx'
import { RichText } from '../ui/rich-text.tsx'
import { BuyForm } from './buy-form.tsx'
import { factsOfKind } from './facts-of-kind.tsx'
import { Gallery } from './gallery.tsx'
import { ProductCard } from './product-card.tsx'
import cards from './product-card.module.css'
import type { ProductData } from './product-loader.ts'
import styles from './product-page.module.css'
import { ProductForMachines } from './structured-data.tsx'
import { categoryTitles, kindTitles, viewHref, type View } from './view.ts'

/** A product: its pictures, how to buy it, and what comes with it. */
export function Component() {
  const product = useLoaderData<ProductData>()
  const { handle, title, summary, category, pictures, related, isNet, shared } = product
  const prices: View = isNet ? { prices: 'net' } : {}
  return (
    <div key={handle}>
      <Head
        title={`${title} — ${categoryTitles[category]}`}
        description={summary}
        image={shared}
        hidden={isNet}
      />
      <div className={`wrap ${styles.top}`}>
        <div className={styles.trail}>
          <Breadcrumbs
            trail={[
              { title: 'Shop', href: viewHref(prices, {}) },
              { title: categoryTitles[category], href: viewHref(prices, { category }) },
            ]}
          />
        </div>
        <Gallery title={title} pictures={pictures} />
        <div className={styles.buy}>
          <div>
            <h1>{title}</h1>
            <p className={styles.summary}>{summary}</p>
          </div>
          <BuyForm product={product} />
          <ProductFacts product={product} />
          <p className={styles.prices}>
            <a href={isNet ? paths.product(handle) : `${paths.product(handle)}?prices=net`}>
              {isNet ? 'Show prices with VAT' : 'Show net prices for companies'}
            </a>
          </p>
        </div>
      </div>
      <About product={product} prices={prices} />
      {related.length > 0 && <Related products={related} isNet={isNet} />}
      <ProductForMachines product={product} />
    </div>
  )
}

function ProductFacts({ product }: { product: ProductData }) {
  const { kind, licence } = product
  return (
    <Facts
      facts={[
        ['Kind', kindTitles[kind]],
        ...factsOfKind(product),
        [
          'Licence',
          licence && (
            <>
              <strong>{licence.name}</strong>, version {licence.version}. {licence.summary}
            </>
          ),
        ],
      ]}
    />
  )
}

/** @param props `prices` is what links to the shop keep: whether they are shown with VAT */
function About({ product: { description, tags }, prices }: { product: ProductData; prices: View }) {
  return (
    <section className={`wrap ${styles.about}`} aria-labelledby="about-title">
      <h2 id="about-title">About it</h2>
      <div>
        <RichText html={description} />
        {tags.length > 0 && (
          <ul className={styles.tags} aria-label="Tags">
            {tags.map((tag) => (
              <li key={tag}>
                <a href={viewHref(prices, { q: tag })}>{tag}</a>
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  )
}

function Related({ products, isNet }: { products: ProductData['related']; isNet: boolean }) {
  return (
    <section className={`wrap ${styles.related}`} aria-labelledby="related-title">
      <h2 id="related-title">Goes well with it</h2>
      <ul className={cards.products}>
        {products.map((each) => (
          <li key={each.handle}>
            <ProductCard product={each} isNet={isNet} heading="h3" />
          </li>
        ))}
      </ul>
    </section>
  )
}
