import { expect, test } from 'vitest'
import { cartAfter, lineId } from '../../../client/shop/cart/cart-address.ts'
import { rememberedPieces, rememberPieces } from '../../../client/shop/cart/cart-hint.ts'
import { onStored } from '../../../client/site/stored-value.ts'
import { fakeBrowser } from '../../support/fake-browser.ts'

test('the number of pieces is stored and announced, and zero removes it', () => {
  using browser = fakeBrowser()
  let told = 0
  onStored(['cart_pieces'], () => (told += 1))
  expect(rememberedPieces()).toBeNull()
  rememberPieces(3)
  expect([rememberedPieces(), told]).toEqual([3, 1])
  rememberPieces(0)
  expect([rememberedPieces(), told, browser.items.size]).toEqual([null, 2, 0])
})

test.each(['', '-1', '1.5', 'many', '12345', '1e3'])('%j not a number of pieces', (stored) => {
  using browser = fakeBrowser()
  browser.items.set('cart_pieces', stored)
  expect(rememberedPieces()).toBeNull()
})

test('without storage the change is announced and nothing is stored', () => {
  using browser = fakeBrowser()
  browser.closeStorage()
  let told = 0
  onStored(['cart_pieces'], () => (told += 1))
  rememberPieces(3)
  expect([rememberedPieces(), told]).toEqual([null, 1])
})

test('the address of the cart names what was added, and every line whose price has changed', () => {
  const line = { handle: 'print', variant: '30x40' }
  const url = new URL(
    cartAfter({ handle: 'a & b', variant: 'c' }, [{ ...line, was: 1, now: 2 }]),
    'https://www.example.com',
  )
  expect(url.searchParams.get('added')).toBe('a & b/c')
  expect(url.searchParams.getAll('changed')).toEqual([lineId(line)])
})
