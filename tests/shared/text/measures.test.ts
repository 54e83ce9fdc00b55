import { expect, test } from 'vitest'
import { withWholeMeasures } from '#shared/text/measures.ts'

test.each([
  ['Blue Hour, 30 × 40 cm, matte cotton paper', 'Blue Hour, 30~×~40~cm, matte cotton paper'],
  ['A3, 297 × 420 mm', 'A3, 297~×~420~mm'],
  ['2 × Racing cap, navy', '2 × Racing cap, navy'],
  ['Banner of 3 m and 2 more', 'Banner of 3~m and 2 more'],
  ['Season 2027 magazine', 'Season 2027 magazine'],
])('%s', (text, kept) => {
  expect(withWholeMeasures(text)).toBe(kept.replaceAll('~', '\u00a0'))
})
