import type { Page } from 'playwright/test'
import { consentCardMs } from '#shared/consent/consent-card.ts'
import { consentVersion } from '#shared/consent/consent.ts'
import { card, modal, stored } from '../support/consent-panel.ts'
import { alive, expect, test, violations } from './site.ts'

test.use({ decided: false })

/** No one is asked again: the card does not come when it would, nor does its code. */
async function expectNoCard(page: Page) {
  await page.clock.install()
  await page.reload()
  await alive(page)
  await page.clock.fastForward(2 * consentCardMs)
  await page.waitForLoadState('networkidle')
  await expect(card(page)).toBeHidden()
}

test('the card comes 300 ms after the page, takes no focus, and is the first that Tab reaches', async ({
  page,
}) => {
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.goto('/')
  await page.getByRole('button', { name: 'Switch theme' }).click()
  await expect(page.getByText('Dark mode activated')).toBeVisible()
  await page.clock.runFor(250)
  await expect(card(page)).toBeHidden()
  await page.clock.runFor(50)
  await expect(card(page)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Switch theme' })).toBeFocused()

  await page.reload()
  await alive(page)
  await page.clock.runFor(1000)
  await expect(card(page)).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(card(page).getByRole('link', { name: 'Cookie policy' })).toBeFocused()
  for (const name of ['Functional', 'Analytics', 'Marketing']) {
    await page.keyboard.press('Tab')
    await expect(card(page).getByRole('switch', { name })).toBeFocused()
  }
  for (const name of ['Reject', 'Accept all', 'Save']) {
    await page.keyboard.press('Tab')
    await expect(card(page).getByRole('button', { name })).toBeFocused()
  }
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
})

const all = { necessary: true, functional: true, analytics: true, marketing: true }

for (const { button, preferences, source } of [
  { button: 'Accept all', preferences: all, source: 'accept' },
  { button: 'Reject', preferences: { ...all, marketing: false }, source: 'reject' },
  { button: 'Save', preferences: { ...all, marketing: false }, source: 'save' },
]) {
  test(`'${button}' stores exactly its values, is counted, and closes the card for good`, async ({
    page,
  }) => {
    await page.goto('/')
    const sent = page.waitForRequest('**/api/consent')
    await card(page).getByRole('button', { name: button, exact: true }).click()
    await expect(card(page)).toBeHidden()
    const decision = { policyVersion: consentVersion, at: expect.any(String) }
    expect(await stored(page)).toEqual({
      preferences,
      given: 'true',
      measurement: null,
      decision: { source, ...decision },
    })
    const request = await sent
    expect(request.postDataJSON()).toEqual({ decision: source, ...decision })
    expect((await request.response())?.status()).toBe(200)
    await expectNoCard(page)
  })
}

test('the switches start as the defaults say, and Save keeps what they show', async ({ page }) => {
  await page.goto('/')
  const box = (name: string) => card(page).locator(`input[name=${name}]`)
  await expect(box('necessary')).toBeDisabled()
  for (const name of ['necessary', 'functional', 'analytics']) await expect(box(name)).toBeChecked()
  // Nothing of others is configured here, so there is nothing to switch on.
  await expect(box('measurement')).toHaveCount(0)
  await expect(box('marketing')).not.toBeChecked()
  await box('functional').click()
  await box('marketing').click()
  await card(page).getByRole('button', { name: 'Save' }).click()
  expect((await stored(page)).preferences).toEqual({ ...all, functional: false })
})

test('Accept all and Reject weigh the same', async ({ page }) => {
  await page.goto('/')
  // It moves as it comes.
  await card(page).evaluate((element) =>
    Promise.all(element.getAnimations().map(({ finished }) => finished)),
  )
  const looks = await Promise.all(
    ['Accept all', 'Reject'].map((name) =>
      card(page)
        .getByRole('button', { name })
        .evaluate((element) => {
          const { color, font } = getComputedStyle(element)
          const { backgroundColor } = getComputedStyle(element, '::before')
          const { width, height, top } = element.getBoundingClientRect()
          return {
            color,
            font,
            backgroundColor,
            size: [Math.round(width), Math.round(height)],
            top,
          }
        }),
    ),
  )
  expect(looks[0]).toEqual(looks[1])
})

for (const [what, items] of [
  ['preferences that are no JSON', { consentGiven: 'true', cookiePreferences: '{analytics' }],
  ['preferences of another shape', { consentGiven: 'true', cookiePreferences: '[1]' }],
  ['a flag of another value', { consentGiven: 'yes', cookiePreferences: JSON.stringify(all) }],
  [
    'a decision about an older policy',
    {
      consentGiven: 'true',
      cookiePreferences: JSON.stringify(all),
      consentDecision: JSON.stringify({
        source: 'accept',
        policyVersion: '2020-01',
        at: '2020-01-01T00:00:00.000Z',
      }),
    },
  ],
] as [string, Record<string, string>][]) {
  test(`${what} counts as not given, once`, async ({ page }) => {
    await page.goto('/')
    await page.evaluate((entries) => {
      for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value)
    }, items)
    await page.reload()
    await card(page).getByRole('button', { name: 'Reject' }).click()
    await expectNoCard(page)
  })
}

test.describe('later', () => {
  test.use({ decided: true })

  test('the footer opens the preferences as a modal, which gives the focus back', async ({
    page,
  }) => {
    await page.goto('/')
    const opener = page.getByRole('button', { name: 'Cookie preferences' })
    await opener.click()
    await expect(modal(page)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(modal(page)).toBeHidden()
    await expect(opener).toBeFocused()
    expect((await stored(page)).decision).toBeNull()

    await opener.click()
    await modal(page).locator('input[name=functional]').click()
    await modal(page).getByRole('button', { name: 'Save' }).click()
    await expect(modal(page)).toBeHidden()
    await expect(opener).toBeFocused()
    await opener.click()
    await expect(modal(page).locator('input[name=functional]')).not.toBeChecked()
    await page.mouse.click(5, 5)
    await expect(modal(page)).toBeHidden()
  })

  test('a step back closes the modal above the page', async ({ page }) => {
    await page.goto('/about-us')
    await page.getByRole('contentinfo').getByRole('link', { name: 'Cookie policy' }).click()
    await expect(page).toHaveURL('/cookie-policy')
    await page.getByRole('contentinfo').getByRole('button', { name: 'Cookie preferences' }).click()
    await expect(modal(page)).toBeVisible()
    await page.goBack()
    await expect(page).toHaveURL('/about-us')
    await expect(modal(page)).toBeHidden()
  })
})

test('a decision in one tab closes the card in the other', async ({ context, page }) => {
  const other = await context.newPage()
  for (const tab of [page, other]) await tab.goto('/')
  await expect(card(page)).toBeVisible()
  await card(other).getByRole('button', { name: 'Reject' }).click()
  await expect(card(page)).toBeHidden()
})

for (const width of [390, 1440]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 900 }, reducedMotion: 'reduce' })

    test('card and modal have no violation', async ({ page }) => {
      await page.goto('/portfolio')
      await expect(card(page)).toBeVisible()
      expect(await violations(page)).toEqual([])
      await card(page).getByRole('button', { name: 'Reject' }).click()
      await page.getByRole('button', { name: 'Cookie preferences' }).click()
      await expect(modal(page)).toBeVisible()
      expect(await violations(page)).toEqual([])
    })
  })
}

for (const [width, height] of [
  [820, 800],
  [820, 1180],
  [1280, 720],
  [1440, 900],
] as const) {
  for (const path of ['/', '/services/photography']) {
    test(`at ${width} by ${height} px the card leaves headline, lead and buttons of ${path} free`, async ({
      page,
    }) => {
      await page.setViewportSize({ width, height })
      await page.goto(path)
      await expect(card(page)).toBeInViewport({ ratio: 1 })
      const covered = await card(page).evaluate(async (element) => {
        await Promise.all(element.getAnimations().map(({ finished }) => finished))
        const over = element.getBoundingClientRect()
        const hero = document.querySelector('h1')!.closest('header, section')!
        return [...hero.querySelectorAll('h1, p, a, button')]
          .filter((part) => {
            const text = document.createRange()
            text.selectNodeContents(part)
            return [...text.getClientRects()].some(
              ({ left, right, top, bottom }) =>
                left < over.right && right > over.left && top < over.bottom && bottom > over.top,
            )
          })
          .map(({ textContent }) => textContent)
      })
      expect(covered).toEqual([])
    })
  }
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('the card is a slim bar, which shows its switches on demand', async ({ page }) => {
    await page.goto('/about-us')
    await expect(card(page)).toBeInViewport({ ratio: 1 })
    const { y, height } = (await card(page).boundingBox())!
    expect(y + height).toBe(844)
    expect(height).toBeLessThan(844 / 4)
    await expect(card(page).getByRole('switch', { name: 'Marketing' })).toBeHidden()
    await expect(card(page).getByRole('button', { name: 'Save' })).toBeHidden()
    await card(page).getByText('Choose').click()
    await card(page).getByRole('switch', { name: 'Marketing' }).click()
    await card(page).getByRole('button', { name: 'Save' }).click()
    await expect(card(page)).toBeHidden()
    expect((await stored(page)).preferences).toEqual(all)
    expect(await violations(page)).toEqual([])
  })
})
