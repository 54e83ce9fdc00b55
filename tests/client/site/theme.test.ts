import { expect, test } from 'vitest'
import {
  followTheme,
  setTheme,
  storedTheme,
  toggleTheme,
} from '../../../client/site/theme/theme.ts'
import { fakeBrowser } from '../../support/fake-browser.ts'

test('a stored theme is light or dark; any other value follows the system', () => {
  using browser = fakeBrowser({ dark: true })
  expect(storedTheme()).toBe('system')
  browser.items.set('theme', 'neon')
  expect(storedTheme()).toBe('system')
  browser.items.set('theme', 'light')
  expect(storedTheme()).toBe('light')
})

test('the switch goes by what is shown, and is kept', () => {
  using browser = fakeBrowser({ dark: true })
  setTheme('system')
  expect([...browser.classes]).toEqual(['dark'])
  toggleTheme()
  expect([...browser.classes, browser.items.get('theme')]).toEqual(['light'])
  toggleTheme()
  expect([...browser.classes, browser.items.get('theme')]).toEqual(['dark', 'dark'])
})

test('a closed storage costs only the next visit', () => {
  using browser = fakeBrowser()
  browser.closeStorage()
  setTheme('dark')
  expect(browser.classes.has('dark')).toBe(true)
  expect(storedTheme()).toBe('system')
})

test('a page follows other tabs, the system and its way out of the history, until it is over', () => {
  using browser = fakeBrowser()
  const told: string[] = []
  const end = followTheme((theme) => told.push(theme))
  const store = (theme: string, key: string | null = 'theme') => {
    browser.items.set('theme', theme)
    browser.tell('storage', { key })
  }
  store('dark')
  expect([told, browser.classes.has('dark')]).toEqual([['dark'], true])
  store('light', 'another key')
  expect(browser.classes.has('dark')).toBe(true)
  browser.tell('pageshow', { persisted: true })
  expect(browser.classes.has('dark')).toBe(false)
  // Everything was cleared in another tab.
  browser.items.clear()
  browser.turn(true)
  expect(browser.classes.has('dark')).toBe(true)
  expect(told).toEqual(['dark'])
  end()
  browser.turn(false)
  store('light')
  expect([told, browser.classes.has('dark')]).toEqual([['dark'], true])
})
