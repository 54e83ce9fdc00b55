import { expect, test } from 'vitest'
import { placesLeft, type ServiceLoad } from '#server/bookings/days/capacity.ts'
import { readRules, rulesSchema } from '#server/bookings/days/rules.ts'

const day = '2027-05-14'

const rules = rulesSchema.parse({
  services: {
    photography: { capacity: 3 },
    videography: { capacity: 3 },
    'website-design': { capacity: 5, needsCrew: false },
  },
  crew: [
    { name: 'Aino', services: ['photography'] },
    { name: 'Elias', services: ['photography', 'videography'] },
    { name: 'Noora', services: ['videography'], away: [{ from: '2027-06-01', to: '2027-06-30' }] },
  ],
})

const load = (service: string, count: Partial<ServiceLoad> = {}): ServiceLoad => ({
  service,
  held: 0,
  confirmed: 0,
  travelling: 0,
  ...count,
})

test.each<[string, string, ServiceLoad[], number]>([
  ['an empty day has the crew of the service', 'photography', [], 2],
  ['a held request takes a place', 'photography', [load('photography', { held: 1 })], 1],
  ['so does a confirmed booking', 'photography', [load('photography', { confirmed: 2 })], 0],
  [
    'somebody who does both is taken from the other service only when nobody else is left',
    'photography',
    [load('videography', { confirmed: 1 })],
    2,
  ],
  [
    'with both film crews at work one photographer is left',
    'photography',
    [load('videography', { confirmed: 2 })],
    1,
  ],
  ['who travels is not there', 'photography', [load('photography', { travelling: 1 })], 1],
  ['work without crew has its own capacity alone', 'website-design', [], 5],
  [
    'and takes nobody from the others',
    'photography',
    [load('website-design', { confirmed: 4 })],
    2,
  ],
  ['an unknown service has no places', 'catering', [], 0],
])('%s', (_, service, loads, places) => {
  expect(placesLeft(rules, service, day, loads)).toBe(places)
})

test('days off count', () => {
  expect(placesLeft(rules, 'videography', '2027-06-10', [])).toBe(1)
})

test('without a crew the capacity of the service counts', () => {
  const alone = rulesSchema.parse({ services: { photography: { capacity: 4 } } })
  expect(placesLeft(alone, 'photography', day, [load('photography', { held: 1 })])).toBe(3)
})

test('a settings file with mistakes names each with its place', () => {
  const { problems } = readRules(
    JSON.stringify({
      holdHours: 'three days',
      services: { photography: { capacity: -1 } },
      blocked: [{ from: '2027-02-30', to: '2027-02-01', reason: 'Holiday' }],
      horizont: 12,
    }),
  )
  const text = problems?.join('\n')
  for (const place of ['holdHours', 'services.photography.capacity', 'blocked.0.from', 'horizont'])
    expect(text).toContain(place)
  expect(readRules('{').problems?.[0]).toContain('JSON')
})
