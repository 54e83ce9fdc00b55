import { expect, test } from 'vitest'
import { townLine } from '#shared/shop/address-rules.ts'
import { postcodeProblem } from '#shared/shop/postcodes.ts'
import { placeOf } from '#shared/shop/tax.ts'

test('an address of Åland has one of its postal codes, and those of other countries are taken as typed', () => {
  for (const code of ['22100', 'AX-22100', 'FI 22 100', '22–100', null]) {
    expect(postcodeProblem('AX', code), String(code)).toBeNull()
  }
  for (const code of ['00100', '2210', 'Mariehamn']) {
    expect(postcodeProblem('AX', code), code).toBe(
      'Please enter a postal code of Åland, such as 22100',
    )
  }
  expect(postcodeProblem('GB', 'SW1A 1AA')).toBeNull()
  expect(postcodeProblem('IE', 'Dublin 2')).toBeNull()
})

test('a code of Åland is found however it is typed', () => {
  for (const postcode of ['22100', 'FIN-22100', 'AX 22 100', '２２１００', '22–100']) {
    expect(placeOf({ country: 'FI', postcode }).area, postcode).toBe('aland')
  }
  expect(placeOf({ country: 'GB', postcode: 'ＢＴ1 5GS' }).area).toBe('northern-ireland')
})

test('the postal code stands where the post of its country wants it', () => {
  const line = (country: string, postcode: string, city: string) =>
    townLine({ country, postcode, city, region: null })
  expect(line('FI', '00100', 'Helsinki')).toBe('00100 Helsinki')
  expect(line('GB', 'BT1 5GS', 'Belfast')).toBe('Belfast BT1 5GS')
  expect(line('IE', 'D02 X285', 'Dublin')).toBe('Dublin D02 X285')
})
