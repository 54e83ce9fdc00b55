import { expect, test } from 'vitest'
import { postcodeProblem } from '#shared/shop/postcodes.ts'
import { placeOf } from '#shared/shop/tax.ts'

test('postal codes are taken as people type them', () => {
  for (const [country, ...codes] of [
    ['FI', '00100', 'FI-00100', 'FIN-00100', '00 100', '００１００'],
    ['AX', '22100', 'AX-22100', 'FI-22100'],
    ['SE', '111 20', 'SE-111 20', 'S-11120'],
    ['DE', '10115', 'D-10115', 'DE 10115'],
    ['NL', '1011 AB', '1011ab', '1011', 'NL-1011 AB'],
    ['GB', 'SW1A 1AA', 'bt1 5gs', 'EC1A1BB', 'M1 1AE', 'JE2 3AB', 'BFPO 57', 'GIR 0AA'],
    ['US', '46222', '46222-1234', 'IN 46222', '46222–1234'],
    ['CA', 'K1A 0B1', 'k1a-0b1'],
    ['PT', '1000-001', '1000'],
    ['PL', '00-001', '00001'],
    ['LV', 'LV-1050', '1050'],
    ['MT', 'VLT 1117', 'VLT1117'],
    ['DK', '1050', 'FO-100'],
    ['IE', 'D02 X285', 'Dublin 2'],
    ['JP', 'whatever it is'],
  ] as const) {
    for (const code of codes)
      expect(postcodeProblem(country, code), `${country} ${code}`).toBeNull()
  }
  expect(postcodeProblem('FI', null)).toBeNull()
})

test('a postal code of another country is none of this one', () => {
  for (const [country, code] of [
    ['AX', '00100'],
    ['FI', '1234'],
    ['FI', '111 200'],
    ['GB', '46222'],
    ['US', 'SW1A 1AA'],
    ['SE', 'K1A 0B1'],
    ['NO', '00150'],
    ['DE', 'none'],
  ] as const) {
    expect(postcodeProblem(country, code), `${country} ${code}`).toMatch(
      /^Please enter a postal code/,
    )
  }
})

test('a code of Åland is found however it is typed', () => {
  for (const postcode of ['22100', 'FIN-22100', 'AX 22 100', '２２１００', '22–100']) {
    expect(placeOf({ country: 'FI', postcode }).area, postcode).toBe('aland')
  }
  expect(placeOf({ country: 'GB', postcode: 'ＢＴ1 5GS' }).area).toBe('northern-ireland')
})
