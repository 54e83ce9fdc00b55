/** Goods of the sample catalogue, of several rates, pieces and kinds. */
export const goods = [
  ['five-red-lights-poster', '50x70'],
  ['ice-track-poster', '70x100'],
  ['paddock-postcards', 'box-of-twelve'],
  ['northern-light-colour-looks', 'single'],
  ['pit-lane-in-the-rain-acrylic', '60x90-acrylic'],
] as const

/** Buyers of whom each is taxed in another way, as a checkout says it. */
export const buyers = {
  finland: {},
  germany: { country: 'DE', postcode: '10115', city: 'Berlin' },
  states: {
    country: 'US',
    postcode: '10001',
    city: 'New York',
    state: 'NY',
    phone: '+12125550100',
  },
  swedishCompany: {
    country: 'SE',
    postcode: '11122',
    city: 'Stockholm',
    company: 'Racing AB',
    vatId: 'SE556677889901',
  },
} as const

export const sum = (numbers: readonly number[]): number =>
  numbers.reduce((all, each) => all + each, 0)

/** Cents of an amount as a file has it, such as 12.50 or 12,50. */
export const centsOf = (text: string): number => Math.round(Number(text.replace(',', '.')) * 100)

/** What the elements of a name hold in an electronic invoice, in cents. */
export const amounts = (xml: string, name: string): number[] =>
  [...xml.matchAll(new RegExp(`<(?:\\w+:)?${name}(?: [^>]*)?>([^<]*)</`, 'g'))].map(([, text]) =>
    centsOf(text!),
  )
