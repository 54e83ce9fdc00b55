import { orderLimits } from '#shared/order-limits.ts'
import type { ProductKind } from '#shared/shop-limits.ts'
import { paths } from '#shared/paths.ts'
import type { ProductData } from './product-data.ts'

const { withdrawalDays } = orderLimits

const withdrawal: Readonly<Record<ProductKind, string>> = {
  physical: `${withdrawalDays} days from the day you receive it, without giving a reason.`,
  digital: `${withdrawalDays} days from your order. The right ends early if you choose instant download.`,
  service: `${withdrawalDays} days from your order. If you ask us to start sooner, you pay for the work done by then.`,
}

/** How a product reaches its buyer, who made it, and how a consumer gives it back. */
export const factsOfKind = ({ kind, madeToOrder, delivery, shipping, maker }: ProductData) =>
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
