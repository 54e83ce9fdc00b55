import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createKeys } from '#server/secrets/secret-key.ts'
import { createSignedTokens } from '#server/secrets/tokens.ts'
import { createClock } from '../../support/site.ts'

const hour = 3_600_000

function tokensFor(purpose: string, secretKey = 's'.repeat(32)) {
  const clock = createClock()
  const keys = createKeys({ secretKey, dataDir: '' })
  const schema = z.object({ reference: z.string() })
  return { clock, tokens: createSignedTokens({ keys, clock, purpose, schema }) }
}

test('a token says what was put into it, and when its time is over', () => {
  const { clock, tokens } = tokensFor('booking')
  const token = tokens.issue({ reference: 'B-1' }, clock() + hour)
  expect(token).toMatch(/^[\w-]{60,}$/)
  expect(tokens.read(token)).toEqual({
    payload: { reference: 'B-1' },
    expiresAt: clock() + hour,
    expired: false,
  })
  clock.advance(hour)
  expect(tokens.read(token)).toMatchObject({ payload: { reference: 'B-1' }, expired: true })
  const endless = tokens.issue({ reference: 'Ä-2 🏁' }, null)
  clock.advance(1000 * 24 * hour)
  expect(tokens.read(endless)).toMatchObject({ payload: { reference: 'Ä-2 🏁' }, expired: false })
})

test('no token of another purpose or key is one', () => {
  const { clock, tokens } = tokensFor('booking')
  const token = tokens.issue({ reference: 'B-1' }, clock() + hour)
  expect(tokensFor('order').tokens.read(token)).toBeNull()
  expect(tokensFor('booking', 'x'.repeat(32)).tokens.read(token)).toBeNull()
})

test('a token with any character changed, left out or added is none', () => {
  const { clock, tokens } = tokensFor('booking')
  const token = tokens.issue({ reference: 'B-1' }, clock() + hour)
  const signs = 'ABCabc019-_'
  fc.assert(
    fc.property(
      fc.nat(token.length - 1),
      fc.constantFrom(...signs.split('')),
      fc.constantFrom('change', 'drop', 'add'),
      (at, sign, how) => {
        const rest = token.slice(how === 'add' ? at : at + 1)
        const changed = token.slice(0, at) + (how === 'drop' ? '' : sign) + rest
        fc.pre(changed !== token)
        expect(tokens.read(changed)).toBeNull()
      },
    ),
  )
})

test.each(['', '.', 'x'.repeat(43), 'a b', '../../etc', 'x'.repeat(100_000), '🏁'.repeat(50)])(
  'a text that was never one is none (%#)',
  (text) => {
    expect(tokensFor('booking').tokens.read(text)).toBeNull()
  },
)
