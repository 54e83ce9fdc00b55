import type { Buyer, Kind } from './booking-story.ts'

const kinds: Kind[] = [
  {
    unit: 'day',
    service: 'photography',
    title: 'Photography',
    price: 89_000,
    days: 3,
    start: '09:00',
    end: '17:30',
  },
  {
    unit: 'event',
    service: 'public-relations',
    title: 'Public Relations',
    price: 120_000,
    days: 3,
  },
  {
    unit: 'project',
    service: 'website-design',
    title: 'Website Design',
    price: 690_000,
    days: 1,
  },
]

const buyers: Record<string, Buyer> = {
  'a Finnish consumer': {
    name: 'Aino Virtanen',
    email: 'aino@example.com',
    country: 'FI',
    address: { street: 'Ratakatu 1', postcode: '96100', city: 'Rovaniemi' },
    rate: 255,
  },
  'a Finnish company': {
    name: 'Mika Salo',
    email: 'mika@example.fi',
    company: 'Kaamos Racing Oy',
    country: 'FI',
    vatId: 'FI20774740',
    address: { street: 'Varikkotie 4', postcode: '33100', city: 'Tampere' },
    rate: 255,
  },
  'a German company': {
    name: 'Jonas Weber',
    email: 'jonas@example.de',
    company: 'Weber Motorsport GmbH',
    country: 'DE',
    vatId: 'DE136695976',
    address: { street: 'Ringstrasse 1', postcode: '53520', city: 'Nürburg' },
    rate: 0,
    reason: 'Reverse charge',
  },
  'a company of the United States': {
    name: 'Dana Cole',
    email: 'dana@example.com',
    company: 'Cole Racing LLC',
    country: 'US',
    address: { street: '1 Speedway', postcode: '28027', city: 'Concord', region: 'NC' },
    rate: 0,
    reason: 'VAT',
  },
}

/** Every way in which services are sold, for everyone who books. */
export const cases = kinds.flatMap((kind) =>
  Object.entries(buyers).map(([who, buyer]) => [kind.unit, who, kind, buyer] as const),
)

/** The line of the service itself. @param longer days more than at first */
export const serviceLine = ({ title, unit, price, days }: Kind, longer = 0) => ({
  text: title,
  net: unit === 'day' ? price * (days + longer) : price,
})
