import { expect, test } from 'vitest'
import { counted, grouped } from '#shared/text/counted.ts'

test('a number is followed by what it counts, in the singular where it is one', () => {
  expect([0, 1, 2].map((count) => counted(count, 'file'))).toEqual(['0 files', '1 file', '2 files'])
})

test('thousands are written apart, as English has them', () => {
  const numbers = [0, 7, 999, 1000, 12_345, 999_999, 1_000_000, Number.MAX_SAFE_INTEGER]
  expect(numbers.map(grouped)).toEqual(numbers.map((each) => each.toLocaleString('en-GB')))
})
