import { expect, test } from 'vitest'
import { ratioDigits } from '#client/folders/gallery/ratio.ts'

test.each([
  [{ width: 6000, height: 4000 }, 150],
  [{ width: 4000, height: 6000 }, 67],
  [{ width: 1080, height: 1920 }, 56],
  [{ width: 1920, height: 1080 }, 178],
  [{ width: 999, height: 1000 }, 100],
  [{ width: 12_000, height: 1000 }, 400],
  [{ width: 10, height: 1000 }, 50],
  [{ width: null, height: null }, 150],
  [{ width: 0, height: 0 }, 150],
])('%o has a ratio of %i hundredths', (size, hundredths) => {
  const digits = ratioDigits(size)
  expect(digits['data-ones'] * 100 + digits['data-tenths'] * 10 + digits['data-hundredths']).toBe(
    hundredths,
  )
})
