import { assert, integer, nat, property, stringMatching } from 'fast-check'
import { expect, test } from 'vitest'
import {
  isReferenceNumber,
  nationalReference,
  printedReference,
  printedRf,
  referenceNumber,
  rfReference,
} from '#server/orders/documents/reference-number.ts'
import { barcodeOver, virtualBarcode } from '#server/orders/documents/pdf/barcode.ts'

const iban = 'FI37 1590 3000 0007 76'

test.each([
  ['1111', '11112'],
  ['1234567890', '12345678907'],
  ['0001111', '11112'],
])('the base %s becomes the reference number %s', (base, reference) => {
  expect(referenceNumber(base)).toBe(reference)
  expect(isReferenceNumber(reference)).toBe(true)
})

test('a reference number is printed from the right in groups of five', () => {
  expect(printedReference('12345678907')).toBe('1 23456 78907')
  expect(printedReference('11112')).toBe('11112')
  expect(isReferenceNumber('1 23456 78907')).toBe(true)
})

test('the international form of 11112 is RF98 11112, and leads back', () => {
  expect(rfReference('11112')).toBe('RF9811112')
  expect(printedRf('RF9811112')).toBe('RF98 1111 2')
  expect(nationalReference('RF98 1111 2')).toBe('11112')
  expect(nationalReference('RF97 1111 2')).toBeNull()
})

test('every base has one reference number, and one wrong digit is noticed', () => {
  const base = stringMatching(/^[1-9]\d{2,18}$/)
  assert(
    property(base, nat(), integer({ min: 1, max: 9 }), (digits, place, by) => {
      const reference = referenceNumber(digits)
      expect(isReferenceNumber(reference)).toBe(true)
      expect(nationalReference(rfReference(reference))).toBe(reference)
      const at = place % reference.length
      const wrong = String((Number(reference[at]) + by) % 10)
      expect(isReferenceNumber(reference.slice(0, at) + wrong + reference.slice(at + 1))).toBe(
        false,
      )
    }),
  )
})

test.each(['12', '', '12345678901234567890', '12a4'])('%j is no base', (base) => {
  expect(() => referenceNumber(base)).toThrow(RangeError)
})

test('the virtual barcode of the bank guide, with a national reference number', () => {
  expect(virtualBarcode({ iban, cents: 1225, reference: '11112', due: '2016-12-21' })).toBe(
    '437159030000007760000122500000000000000000011112161221',
  )
})

test('the virtual barcode of the bank guide, with an RF reference', () => {
  expect(virtualBarcode({ iban, cents: 110, reference: 'RF9811112', due: '2017-01-01' })).toBe(
    '537159030000007760000011098000000000000000011112170101',
  )
})

test('an amount that does not fit and a missing due date are left open', () => {
  const barcode = virtualBarcode({ iban, cents: 100_000_000, reference: '11112', due: null })
  expect(barcode).toHaveLength(54)
  expect(barcode.slice(17, 25)).toBe('00000000')
  expect(barcode.slice(-6)).toBe('000000')
})

test('a foreign IBAN and a wrong RF reference are refused', () => {
  const payment = { cents: 100, reference: '11112', due: null }
  expect(() => virtualBarcode({ ...payment, iban: 'SE3550000000054910000003' })).toThrow(RangeError)
  expect(() => virtualBarcode({ ...payment, iban, reference: 'RF0011112' })).toThrow(RangeError)
})

test('the barcode over what is left asks for it, also where a gift card paid as much as being late has cost', () => {
  const about = { reference: '11112', due: '2026-12-04' }
  const own = virtualBarcode({ iban, cents: 5_490, ...about })
  const document = {
    barcode: own,
    total: 5_990,
    reference: '11112',
    dueOn: about.due,
    seller: { iban },
  }
  expect(barcodeOver(document, 5_490)).toBe(own)
  expect(barcodeOver(document, 5_990)).toBe(virtualBarcode({ iban, cents: 5_990, ...about }))
  expect(barcodeOver({ ...document, barcode: null }, 5_990)).toBe('')
})
