import { orderLimits } from '#shared/order-limits.ts'
import type { ProductKind } from '#shared/shop-limits.ts'
import { paths } from '#shared/paths.ts'

const { withdrawalDays } = orderLimits

const delivery: Readonly<Record<ProductKind, string>> = {
  physical:
    'Sent from Helsinki by tracked post. What it costs depends on weight and country, and stands in the cart.',
  digital: `As a download, as soon as it is paid. If you do not ask for it at once, when the ${withdrawalDays} days of withdrawal are over.`,
  service: 'We get in touch within two working days of your order to settle dates and details.',
}

const withdrawal: Readonly<Record<ProductKind, string>> = {
  physical: `${withdrawalDays} days from the day you receive it, without giving a reason.`,
  digital: `${withdrawalDays} days from your order. The right ends early if you ask for the download at once.`,
  service: `${withdrawalDays} days from your order. If you ask us to begin earlier, you pay for what was done until then.`,
}

/** How a product reaches its buyer, and how a consumer gives it back. */
export const factsOfKind = ({ kind, madeToOrder }: { kind: ProductKind; madeToOrder: boolean }) =>
  [
    ['Delivery', delivery[kind]],
    [
      'Withdrawal',
      <>
        {madeToOrder
          ? 'Made for you alone, to your specification, so there is no right of withdrawal.'
          : withdrawal[kind]}{' '}
        <a href={`${paths.termsOfService()}#withdrawal`}>Your rights in full</a>
      </>,
    ],
  ] as const
