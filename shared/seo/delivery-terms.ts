import { paths } from '../paths.ts'
import { countries, countriesOf, parcelAreas, parcelCost } from '../shop/delivery-areas.ts'
import type { Dispatch } from '../shop/delivery-words.ts'
import { orderLimits } from '../shop/order-limits.ts'
import type { Thing } from './json-ld.ts'

/** Our working days; holidays are not said, since they differ from year to year. */
const businessDays: Thing = {
  '@type': 'OpeningHoursSpecification',
  dayOfWeek: [
    'https://schema.org/Monday',
    'https://schema.org/Tuesday',
    'https://schema.org/Wednesday',
    'https://schema.org/Thursday',
    'https://schema.org/Friday',
  ],
}

const days = ([minValue, maxValue]: Dispatch): Thing => ({
  '@type': 'QuantitativeValue',
  minValue,
  maxValue,
  unitCode: 'DAY',
})

/**
 * What sending one piece costs and how long it takes, for each area that we deliver to.
 * @param grams of the piece
 * @param dispatch working days until it leaves
 */
export const shippingDetails = (grams: number, dispatch: Dispatch): readonly Thing[] =>
  parcelAreas().map((area) => ({
    '@type': 'OfferShippingDetails',
    shippingRate: {
      '@type': 'MonetaryAmount',
      value: (parcelCost(area, grams) / 100).toFixed(2),
      currency: 'EUR',
    },
    shippingDestination: {
      '@type': 'DefinedRegion',
      addressCountry: countriesOf(area).map(({ code }) => code),
    },
    deliveryTime: {
      '@type': 'ShippingDeliveryTime',
      businessDays,
      handlingTime: days(dispatch),
      transitTime: days(area.transit),
    },
  }))

/** How goods can be returned, as the terms of service have it for consumers. @param origin the public one */
export const returnPolicy = (origin: string): Thing => ({
  '@type': 'MerchantReturnPolicy',
  applicableCountry: countries.map(({ code }) => code),
  returnPolicyCategory: 'https://schema.org/MerchantReturnFiniteReturnWindow',
  merchantReturnDays: orderLimits.withdrawalDays,
  merchantReturnLink: `${origin}${paths.termsOfService()}#withdrawal`,
  returnMethod: 'https://schema.org/ReturnByMail',
  returnFees: 'https://schema.org/ReturnFeesCustomerResponsibility',
  refundType: 'https://schema.org/FullRefund',
})
