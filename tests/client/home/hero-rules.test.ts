import { describe, expect, test } from 'vitest'
import { cut, heroLimits, mayShowPhoto } from '#client/home/hero-rules.ts'

describe('a text of the hero', () => {
  test('stays whole up to its limit', () => {
    expect(cut('', 40)).toBe('')
    expect(cut('x'.repeat(heroLimits.title), heroLimits.title)).toBe('x'.repeat(40))
    expect(cut('x'.repeat(heroLimits.subtitle), heroLimits.subtitle)).toBe('x'.repeat(100))
  })

  test('is cut at 40 and 100 characters beyond, each followed by an ellipsis', () => {
    expect(cut('x'.repeat(41), heroLimits.title)).toBe(`${'x'.repeat(40)}...`)
    expect(cut('x'.repeat(101), heroLimits.subtitle)).toBe(`${'x'.repeat(100)}...`)
  })

  test('keeps a space that is the last of them', () => {
    expect(cut('Motorsport media at race pace', 17)).toBe('Motorsport media ...')
  })

  test('counts letters as readers do, and halves none', () => {
    expect(cut('🏁'.repeat(40), 40)).toBe('🏁'.repeat(40))
    expect(cut('🏁'.repeat(41), 40)).toBe(`${'🏁'.repeat(40)}...`)
  })

  test('is cut below 768 pixels', () => {
    const [, most] = /max-width: ([\d.]+)px/.exec(heroLimits.narrow) ?? []
    expect(Number(most)).toBeLessThan(768)
    expect(Number(most)).toBeGreaterThan(767)
  })
})

test('the photo of the hero needs consent, or necessary cookies allowed', () => {
  const shown = [
    { consentGiven: true, necessary: false },
    { consentGiven: false, necessary: true },
    { consentGiven: false, necessary: false },
  ].map(mayShowPhoto)
  expect(shown).toEqual([true, true, false])
})
