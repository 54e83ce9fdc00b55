import { assert, property, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cut, mayShowPhoto, narrowScreen } from '#client/home/hero-rules.ts'
import { heroTextLimits } from '#shared/hero.ts'

describe('a text of the hero', () => {
  test('stays whole up to its limit', () => {
    expect(cut('', 40)).toBe('')
    expect(cut('x'.repeat(40), heroTextLimits.title)).toBe('x'.repeat(40))
    expect(cut('x'.repeat(100), heroTextLimits.subtitle)).toBe('x'.repeat(100))
  })

  test('is cut at 40 and 100 characters beyond, each followed by an ellipsis', () => {
    expect(cut('x'.repeat(41), heroTextLimits.title)).toBe(`${'x'.repeat(40)}...`)
    expect(cut('x'.repeat(101), heroTextLimits.subtitle)).toBe(`${'x'.repeat(100)}...`)
  })

  test('is cut between words, without what joined the next one', () => {
    expect(cut('Motorsport media at race pace', 17)).toBe('Motorsport media...')
    expect(cut('One crew for everything people see of you', 40)).toBe(
      'One crew for everything people see of...',
    )
    expect(cut('Motorsport stories, told at full throttle', 23)).toBe('Motorsport stories...')
    expect(cut('Motorsport media', 10)).toBe('Motorsport...')
  })

  test('is cut inside a word that would leave next to nothing', () => {
    expect(cut(`A ${'x'.repeat(60)}`, 40)).toBe(`A ${'x'.repeat(38)}...`)
  })

  test('counts characters, and halves no letter', () => {
    expect(cut('🏁'.repeat(40), 40)).toBe('🏁'.repeat(40))
    expect(cut('🏁'.repeat(41), 40)).toBe(`${'🏁'.repeat(40)}...`)
    expect(cut('👩‍🔧'.repeat(20), 40)).toBe(`${'👩‍🔧'.repeat(13)}...`)
  })

  test('never has more than its characters before the ellipsis, and begins as it was written', () => {
    assert(
      property(string({ unit: 'grapheme', maxLength: 150 }), (text) => {
        const shown = cut(text, 40)
        const kept = shown === text ? text : shown.slice(0, -3)
        expect(Array.from(kept).length).toBeLessThanOrEqual(40)
        expect(text.startsWith(kept)).toBe(true)
      }),
    )
  })

  test('is cut below 768 pixels', () => {
    const [, most] = /max-width: ([\d.]+)px/.exec(narrowScreen) ?? []
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
