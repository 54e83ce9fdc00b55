import type { Page } from 'playwright/test'
import { alive, expect, openWithoutCode, stopClock, test } from './site.ts'

const toggle = (page: Page) => page.getByRole('button', { name: 'Switch theme' })
const isDark = (page: Page) =>
  page.evaluate(() => document.documentElement.classList.contains('dark'))
const stored = (page: Page) => page.evaluate(() => localStorage.getItem('theme'))

test.use({ colorScheme: 'light' })

test('the toggle switches, stores, and says so for two seconds at the top right', async ({
  page,
}) => {
  await page.clock.install()
  await page.goto('/')
  await alive(page)
  await stopClock(page)
  expect(await stored(page)).toBeNull()
  await toggle(page).click()
  const toast = page.getByText('Dark mode activated')
  await expect(toast).toBeVisible()
  expect(await isDark(page)).toBe(true)
  expect(await stored(page)).toBe('dark')
  const { width } = page.viewportSize()!
  const box = (await toast.boundingBox())!
  expect(box.x + box.width).toBeGreaterThan(width * 0.9)
  expect(box.y).toBeLessThan(150)
  await page.clock.runFor(2000)
  await expect(toast).toBeHidden()
  await toggle(page).click()
  await expect(page.getByText('Light mode activated')).toBeVisible()
  expect(await isDark(page)).toBe(false)
  expect(await stored(page)).toBe('light')
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('nothing offers a theme that it cannot switch', async ({ page }) => {
    for (const path of ['/', '/portfolio']) {
      await page.goto(path)
      await expect(page.getByRole('banner')).toBeVisible()
      await expect(toggle(page)).toBeHidden()
      await expect(page.getByRole('group', { name: 'Theme' })).toBeHidden()
    }
  })
})

test('a stored theme is there before any code of ours runs', async ({ page, complaints }) => {
  complaints.expect(/Failed to/)
  await page.goto('/')
  await toggle(page).click()
  await expect(page.locator('html')).toHaveClass(/dark/)
  await page.route('**/*.js', (route) => route.abort())
  await page.reload()
  expect(await isDark(page)).toBe(true)
})

test('without a stored theme the page follows the system, also while it is open', async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto('/')
  expect(await isDark(page)).toBe(true)
  await page.emulateMedia({ colorScheme: 'light' })
  await expect.poll(() => isDark(page)).toBe(false)
  await toggle(page).click()
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.emulateMedia({ colorScheme: 'light' })
  expect(await isDark(page)).toBe(true)
})

test('the system can be chosen, and is stored as such', async ({ page }) => {
  await page.goto('/')
  const group = page.getByRole('group', { name: 'Theme' })
  await group.scrollIntoViewIfNeeded()
  await expect(group.getByRole('radio', { name: 'System' })).toBeChecked()
  await group.getByRole('radio', { name: 'Dark' }).click()
  await expect(page.getByText('Dark mode activated')).toBeVisible()
  expect(await isDark(page)).toBe(true)
  await group.getByRole('radio', { name: 'System' }).click()
  await expect(page.getByText('System mode activated')).toBeVisible()
  expect(await stored(page)).toBe('system')
  expect(await isDark(page)).toBe(false)
  await page.reload()
  expect(await isDark(page)).toBe(false)
})

test('a change in one tab reaches the others', async ({ page, context }) => {
  const other = await context.newPage()
  await page.goto('/')
  await other.goto('/contactwindow')
  await alive(other)
  await toggle(page).click()
  await expect.poll(() => isDark(other)).toBe(true)
  await expect(other.getByText('Dark mode activated')).toBeVisible()
  await page.evaluate(() => localStorage.clear())
  await expect.poll(() => isDark(other)).toBe(false)
})

test('a change in one tab reaches another whose code is still on its way', async ({
  page,
  context,
}) => {
  const other = await context.newPage()
  await page.goto('/')
  const release = await openWithoutCode(other, '/contactwindow')
  await expect(other.getByRole('heading', { level: 1 })).toBeVisible()
  await toggle(page).click()
  await expect.poll(() => stored(page)).toBe('dark')
  release()
  await expect.poll(() => isDark(other)).toBe(true)
})

test('the words of a button can be read while a pointer comes and goes', async ({ page }) => {
  await page.goto('/search')
  await alive(page)
  const main = page.getByRole('main')
  const pressed = [
    page.getByRole('contentinfo').getByRole('button', { name: 'Subscribe' }),
    main.getByRole('button', { name: 'Search' }),
    main.getByRole('link', { name: 'Racing' }),
  ]
  // Words and ground change places, so that a slow change has them in one colour halfway.
  const changing = () =>
    page.evaluate(() =>
      document.getAnimations().flatMap((each) => {
        const { target } = each.effect as KeyframeEffect
        const isColour =
          each instanceof CSSTransition && /color|background/.test(each.transitionProperty)
        return isColour && target?.matches('button, a') ? [target.textContent] : []
      }),
    )
  for (const button of pressed) {
    await button.hover()
    expect(await changing()).toEqual([])
    await page.mouse.move(0, 0)
    expect(await changing()).toEqual([])
  }
})
