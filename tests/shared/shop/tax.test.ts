import { expect, test } from 'vitest'
import { placeOf, taxOf, taxReason, type Supply, type TaxGround } from '#shared/shop/tax.ts'

const date = '2026-11-20'

/** The ground and rate of each vector: consumer, business; goods, file or licence, service. */
const vectors: [
  name: string,
  address: { country: string; postcode?: string },
  consumer: [goods: string, file: string, service: string],
  business: [goods: string, file: string, service: string],
][] = [
  [
    'Finland',
    { country: 'FI', postcode: '00100' },
    ['domestic 25.5', 'domestic 25.5', 'domestic 25.5'],
    ['domestic 25.5', 'domestic 25.5', 'domestic 25.5'],
  ],
  [
    'Åland, by its postal code',
    { country: 'FI', postcode: 'FI-22100' },
    ['aland 0', 'domestic 25.5', 'domestic 25.5'],
    ['aland 0', 'domestic 25.5', 'domestic 25.5'],
  ],
  [
    'Åland, by its own code',
    { country: 'AX' },
    ['aland 0', 'domestic 25.5', 'domestic 25.5'],
    ['aland 0', 'domestic 25.5', 'domestic 25.5'],
  ],
  ...[
    { country: 'SE' },
    { country: 'DE' },
    { country: 'DK', postcode: '4000' },
    // One digit short of Copenhagen.
    { country: 'DK', postcode: '210' },
    { country: 'FR', postcode: '98000' },
    { country: 'IT', postcode: '47900' },
  ].map((address): (typeof vectors)[number] => [
    Object.values(address).join(' '),
    address,
    ['distance-sale 25.5', 'distance-sale 25.5', 'domestic 25.5'],
    ['intra-community 0', 'reverse-charge 0', 'reverse-charge 0'],
  ]),
  [
    'Northern Ireland',
    { country: 'GB', postcode: 'bt1 5gs' },
    ['distance-sale 25.5', 'outside-eu 0', 'domestic 25.5'],
    ['intra-community 0', 'outside-eu 0', 'outside-eu 0'],
  ],
  ...[
    { country: 'US' },
    { country: 'GB', postcode: 'EH1 1AA' },
    { country: 'NO' },
    { country: 'CH' },
    { country: 'ES', postcode: '35001' },
    { country: 'DE', postcode: '78266' },
    { country: 'DE', postcode: 'CH-8238' },
    { country: 'DK', postcode: '3900' },
    { country: 'DK', postcode: 'FO-100' },
    { country: 'FR', postcode: '97400' },
    { country: 'IT', postcode: '23041' },
    { country: 'IT', postcode: '47890' },
    { country: 'IT', postcode: 'V-00120' },
    { country: 'GR', postcode: '630 86' },
  ].map((address): (typeof vectors)[number] => [
    Object.values(address).join(' '),
    address,
    ['export 0', 'outside-eu 0', 'domestic 25.5'],
    ['export 0', 'outside-eu 0', 'outside-eu 0'],
  ]),
]

test.each(vectors)('%s', (_, address, consumer, business) => {
  const place = placeOf(address)
  const told = (isBusiness: boolean) =>
    (['goods', 'electronic', 'service'] as const).map((supply) => {
      const buyer = { place, isBusiness }
      const { ground, rate } = taxOf({ supply, vatClass: 'general', date, buyer, ossFrom: null })
      return `${ground} ${rate}`
    })
  expect([told(false), told(true)]).toEqual([consumer, business])
})

test('from the day of the registration consumers pay the VAT of their country', () => {
  const tax = (supply: Supply, country: string, on: string, postcode?: string) => {
    const buyer = { place: placeOf({ country, postcode }), isBusiness: false }
    return taxOf({ supply, vatClass: 'general', date: on, buyer, ossFrom: '2027-01-01' })
  }
  expect(tax('goods', 'DE', '2026-12-31')).toMatchObject({ ground: 'distance-sale', rate: 25.5 })
  expect(tax('goods', 'DE', '2027-01-01')).toEqual({ ground: 'oss', country: 'DE', rate: 19 })
  expect(tax('electronic', 'HU', '2027-01-01')).toEqual({ ground: 'oss', country: 'HU', rate: 27 })
  expect(tax('goods', 'GB', '2027-01-01', 'BT1 5GS')).toMatchObject({ country: 'GB', rate: 20 })
  expect(tax('service', 'DE', '2027-01-01')).toMatchObject({ ground: 'domestic', rate: 25.5 })
  expect(tax('goods', 'FI', '2027-01-01')).toMatchObject({ ground: 'domestic' })
})

test('rates are those of their day', () => {
  const rate = (country: string, on: string) =>
    taxOf({
      supply: 'goods',
      vatClass: 'general',
      date: on,
      buyer: { place: placeOf({ country }), isBusiness: false },
      ossFrom: '2021-07-01',
    }).rate
  expect([rate('EE', '2025-06-30'), rate('EE', '2025-07-01')]).toEqual([22, 24])
  expect([rate('FI', '2024-08-31'), rate('FI', '2024-09-01')]).toEqual([24, 25.5])
  const union = 'AT BE BG HR CY CZ DK EE FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE'
  for (const country of union.split(' ')) expect(rate(country, date)).toBeGreaterThanOrEqual(17)
})

test('printed books have the rate of their destination for books, or its standard one', () => {
  const rate = (country: string, on: string = '2026-11-20') =>
    taxOf({
      supply: 'goods',
      vatClass: 'reduced',
      isBook: true,
      date: on,
      buyer: { place: placeOf({ country }), isBusiness: false },
      ossFrom: '2025-01-01',
    }).rate
  expect(['DE', 'FR', 'LT', 'IE', 'FI'].map((country) => rate(country))).toEqual([
    7, 5.5, 5, 0, 13.5,
  ])
  // No rate of their own is known: Denmark has none, Slovakia's wasn't verified.
  expect(['DK', 'SK'].map((country) => rate(country))).toEqual([25, 23])
  expect(rate('DE', '2025-12-31')).toBe(19)
})

test('a service at a place follows the place for consumers, and the buyer for companies', () => {
  const tax = (country: string, isBusiness: boolean, performed: string) => {
    const buyer = { place: placeOf({ country }), isBusiness }
    const performedIn = placeOf({ country: performed })
    const { ground, rate } = taxOf({
      supply: 'on-site',
      vatClass: 'general',
      date,
      buyer,
      ossFrom: null,
      performedIn,
    })
    return `${ground} ${rate}`
  }
  expect(tax('FI', false, 'DE')).toBe('performed-abroad 19')
  expect(tax('DE', false, 'FI')).toBe('domestic 25.5')
  expect(tax('FI', false, 'MC')).toBe('outside-eu 0')
  expect(tax('FI', true, 'DE')).toBe('domestic 25.5')
  expect(tax('DE', true, 'FI')).toBe('reverse-charge 0')
  expect(tax('US', true, 'FI')).toBe('outside-eu 0')
})

test('every ground that charges no Finnish VAT names its article', () => {
  const told: TaxGround[] = ['intra-community', 'reverse-charge', 'export', 'aland', 'outside-eu']
  for (const ground of told) expect(taxReason({ ground, country: 'FI' })).toMatch(/art\. \d/)
  expect(taxReason({ ground: 'domestic', country: 'FI' })).toBe('Finnish VAT')
  expect(taxReason({ ground: 'oss', country: 'DE' })).toContain('Germany')
})
