import { useLoaderData } from 'react-router'
import { importWords } from '#shared/shop/import-words.ts'
import { deliveryTexts } from '#shared/shop/delivery-texts.ts'
import { euros } from '#shared/money.ts'
import { paths } from '#shared/paths.ts'
import { Head } from '../../site/head/head.tsx'
import { DataTable } from '../../ui/lists/data-table.tsx'
import { Facts } from '../../ui/lists/facts.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { GuaranteeNotice } from '../guarantee-notice.tsx'
import type { DeliveryData } from './delivery-loader.ts'
import styles from './delivery-page.module.css'

/** Where the shop delivers to, for how much, and what the law guarantees. */
export function Component() {
  const { areas, pickup } = useLoaderData<DeliveryData>()
  return (
    <>
      <Head title={deliveryTexts.title} description={deliveryTexts.description} />
      <PageHead
        label={<a href={paths.shop()}>Shop</a>}
        title={deliveryTexts.heading}
        lead={deliveryTexts.lead}
      />
      <div className={`wrap ${styles.sections}`}>
        <section aria-labelledby="costs-title">
          <h2 id="costs-title">What it costs</h2>
          <p>
            By the weight of the parcel, including VAT. What is heavier than 30 kg goes in several
            parcels. Each product’s page says when it ships; add the days on the way.
          </p>
          <DataTable
            label="Delivery costs by area and weight"
            columns={[
              'Area',
              ...(areas[0]?.costs ?? []).map(({ grams }) => ({
                title: `Up to ${grams / 1000} kg`,
                numeric: true as const,
              })),
              'On the way',
            ]}
            rows={areas.map(({ name, costs, transit }) => ({
              key: name,
              cells: [name, ...costs.map(({ cost }) => euros(cost)), transit],
            }))}
          />
        </section>
        <section aria-labelledby="countries-title">
          <h2 id="countries-title">Where we deliver to</h2>
          <Facts facts={areas.map(({ name, countries }) => [name, countries.join(', ')])} />
          <p>{importWords}</p>
        </section>
        {pickup && (
          <section aria-labelledby="pickup-title">
            <h2 id="pickup-title">Pickup</h2>
            <p>
              Choose pickup at the checkout: it’s free. We email you when your order is ready at{' '}
              {pickup}.
            </p>
          </section>
        )}
        <GuaranteeNotice />
        <section aria-labelledby="returns-title">
          <h2 id="returns-title">Changed your mind?</h2>
          <p>
            Consumers can withdraw within 14 days.{' '}
            <a href={paths.withdraw()}>Withdraw from contract here</a>
          </p>
        </section>
      </div>
    </>
  )
}
