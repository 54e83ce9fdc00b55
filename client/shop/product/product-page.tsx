import { useState } from 'react'
import { useActionData, useLoaderData } from 'react-router'
import { paths } from '#shared/paths.ts'
import { Head } from '../../site/head/head.tsx'
import { below } from '../../ui/below.ts'
import { Breadcrumbs } from '../../ui/page/breadcrumbs.tsx'
import chips from '../../ui/lists/chips.module.css'
import { Facts } from '../../ui/lists/facts.tsx'
import { RichText } from '../../ui/text/rich-text.tsx'
import { BackInStock, BuyForm } from './buy-form.tsx'
import { Gallery } from './gallery.tsx'
import { ProductCard } from '../list/product-card.tsx'
import cards from '../list/product-card.module.css'
import type { FormAnswer } from '../../forms/form-action.ts'
import type { ProductData } from './product-data.ts'
import styles from './product-page.module.css'
import { categoryTitles, viewHref, type View } from '../view.ts'
import { orderLimits } from '#shared/shop/order-limits.ts'
import type { ProductKind } from '#shared/shop/limits.ts'
import { breadcrumbs, product as productThing, type Publisher } from '#shared/seo/seo.ts'
import { StructuredData } from '../../site/head/structured-data.tsx'

/** A product: its pictures, how to buy it, and what comes with it. */
export function Component() {
  const product = useLoaderData<ProductData>()
  const { handle, title, summary, category, related, isNet, shared } = product
  const prices: View = isNet ? { prices: 'net' } : {}
  return (
    <div key={handle}>
      <Head
        title={`${title} — ${categoryTitles[category]}`}
        description={summary}
        image={shared}
        hidden={isNet}
      />
      <Top product={product} prices={prices} />
      <About product={product} prices={prices} />
      {related.length > 0 && <Related products={related} isNet={isNet} />}
      <ProductForMachines product={product} />
    </div>
  )
}

/** The pictures, and how to buy it: what is chosen is shown. */
function Top({ product, prices }: { product: ProductData; prices: View }) {
  const { handle, title, summary, category, variants, isNet } = product
  const refusal = useActionData<FormAnswer>()
  const [chosen, setChosen] = useState(refusal?.entries.variant || product.chosen)
  const [isInRoom, setInRoom] = useState(product.isInRoom)
  return (
    <div className={`wrap ${styles.top}`}>
      <div className={styles.trail}>
        <Breadcrumbs
          trail={[
            { title: 'Shop', href: viewHref(prices, {}) },
            { title: categoryTitles[category], href: viewHref(prices, { category }) },
          ]}
        />
      </div>
      <Gallery
        product={product}
        variant={variants.find(({ variant }) => variant === chosen)}
        isInRoom={isInRoom}
        onRoom={() => setInRoom(true)}
      />
      <div className={styles.buy}>
        <div>
          <h1>{title}</h1>
          <p className={styles.summary}>{summary}</p>
        </div>
        <BuyForm
          product={product}
          chosen={chosen}
          onChoose={(variant) => {
            setChosen(variant)
            setInRoom(true)
          }}
        />
        <BackInStock product={product} />
        <ProductFacts product={product} />
        <p className={styles.prices}>
          <a href={isNet ? paths.product(handle) : `${paths.product(handle)}?prices=net`}>
            {isNet ? 'Show prices with VAT' : 'Show net prices for companies'}
          </a>
        </p>
      </div>
    </div>
  )
}

function ProductFacts({ product }: { product: ProductData }) {
  const { licence } = product
  return (
    <Facts
      facts={[
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
    <section className={`wrap ${styles.about}`} aria-labelledby="about-title" {...below}>
      <h2 id="about-title">Details</h2>
      <div>
        <RichText html={description} />
        {tags.length > 0 && (
          <ul className={`${chips.chips} ${styles.tags}`} aria-label="Tags">
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
    <section className={`wrap ${styles.related}`} aria-labelledby="related-title" {...below}>
      <h2 id="related-title">You may also like</h2>
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

const { withdrawalDays } = orderLimits

const withdrawal: Readonly<Record<ProductKind, string>> = {
  physical: `Consumers have ${withdrawalDays} days from receiving it, without giving a reason.`,
  digital: `Consumers have ${withdrawalDays} days from the order. The right ends early if you choose instant download.`,
  service: `Consumers have ${withdrawalDays} days from the order. If you ask us to start sooner, you pay for the work done by then.`,
}

/** How a product reaches its buyer, who made it, and how a consumer gives it back. */
const factsOfKind = ({ kind, madeToOrder, delivery, shipping, maker }: ProductData) =>
  [
    ['Delivery', delivery],
    [
      'Shipping',
      shipping && (
        <>
          {shipping} Pickup in Helsinki is free. <a href={paths.delivery()}>Countries and costs</a>
        </>
      ),
    ],
    [
      'Guarantee',
      maker && (
        <>
          Legal guarantee of at least 2 years.{' '}
          <a href={`${paths.delivery()}#guarantee`}>What it covers</a>
        </>
      ),
    ],
    ['Made by', maker && [maker.name, maker.address, maker.contact].filter(Boolean).join(', ')],
    ['Safety', maker?.safety],
    [
      'Withdrawal',
      <>
        {madeToOrder ? 'Made to order, so it can’t be returned.' : withdrawal[kind]}{' '}
        <a href={`${paths.termsOfService()}#withdrawal`}>Your rights in full</a>
      </>,
    ],
  ] as const

/** A product with its offers for search engines. */
const ProductForMachines = ({ product }: { product: ProductData }) => (
  <StructuredData things={import.meta.env.SSR ? thingsOf(product) : null} />
)

const thingsOf =
  ({ handle, title, summary, category, pictures, variants, dispatch }: ProductData) =>
  (publisher: Publisher) => {
    const path = paths.product(handle)
    return [
      productThing(
        {
          title,
          description: summary,
          path,
          category: categoryTitles[category],
          images: pictures.map(({ whole }) => whole.src),
          dispatch,
          offers: variants.map(({ variant, sku, price, ...rest }) => ({
            ...rest,
            variant,
            // Other products have variants of the same name.
            sku: sku ?? `${handle}/${variant}`,
            price: price.gross,
          })),
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
  }
