import type { Page } from 'playwright/test'
import { enquiry, expect, test, violations } from './site.ts'

/** What a page is on, by its theme. */
const grounds = { light: 'rgb(246, 244, 239)', dark: 'rgb(18, 22, 27)' }

/** The pages that need no script, in their states. */
const ways: Record<string, (page: Page) => Promise<unknown>> = {
  'the form of the newsletter': (page) => page.goto('/subscription/form'),
  'its message about an address': async (page) => {
    await page.goto('/subscription/form')
    await page.getByLabel('Email').fill('aino')
    await page.getByRole('button', { name: 'Subscribe' }).click()
    await expect(page.getByLabel('Email')).toHaveAccessibleDescription(
      'Please enter a valid email address',
    )
  },
  'a link that means nothing': (page) => page.goto('/subscription/leave/nobody'),
  'the contact form with a wrong answer': async (page) => {
    await page.goto('/subscription/form')
    await page.evaluate(
      (fields) => {
        // As browsers without scripts send it; axe needs one that has them.
        const form = document.createElement('form')
        Object.assign(form, { method: 'post', action: '/contactwindow' })
        for (const [name, value] of Object.entries(fields)) {
          form.append(Object.assign(document.createElement('input'), { name, value }))
        }
        document.body.append(form)
        form.submit()
      },
      { ...enquiry, captcha: '99', x: '3', y: '4' },
    )
    await expect(page.getByRole('alert')).toContainText('Verification Failed')
    await expect(page.getByLabel('Message')).toHaveValue(/eight weekends/)
  },
  'an address that cannot be read': (page) => page.goto('/%ff'),
}

for (const width of [390, 1440]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 900 } })

    test('pages without scripts have the look of the site and no violation', async ({
      page,
      complaints,
    }) => {
      complaints.expect(/40[04]/)
      for (const [name, go] of Object.entries(ways)) {
        await go(page)
        await expect(page.getByRole('heading', { level: 1 }), name).toBeVisible()
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          expect((await look(page)).ground, name).toBe(grounds[colorScheme])
        }
        const { fonts, overflow } = await look(page)
        expect(fonts, name).toEqual(['Archivo Expanded', 'Archivo Text'])
        expect(overflow, name).toBeLessThanOrEqual(0)
        expect(await violations(page), name).toEqual([])
      }
    })
  })
}

const look = (page: Page) =>
  page.evaluate(async () => {
    await document.fonts.ready
    const loaded = [...document.fonts].filter(({ status }) => status === 'loaded')
    return {
      fonts: [...new Set(loaded.map(({ family }) => family.replaceAll('"', '')))]
        .filter((family) => family.startsWith('Archivo'))
        .toSorted(),
      ground: getComputedStyle(document.body).backgroundColor,
      overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    }
  })

for (const [system, stored] of [
  ['light', 'dark'],
  ['dark', 'light'],
] as const) {
  test.describe(`a system with a ${system} theme`, () => {
    test.use({ colorScheme: system })

    test(`leaves a ${stored} theme that was chosen on the site as it is`, async ({
      page,
      complaints,
    }) => {
      complaints.expect(/40[04]/)
      await page.goto('/subscription/form')
      await page.evaluate((theme) => localStorage.setItem('theme', theme), stored)
      for (const path of ['/subscription/form', '/%E0%A4%A']) {
        await page.goto(path)
        expect((await look(page)).ground, path).toBe(grounds[stored])
      }
    })
  })
}

test('an address that cannot be read offers the three ways of every error page', async ({
  page,
  complaints,
}) => {
  complaints.expect(/400/)
  await page.goto('/subscription/form')
  await page.goto('/%E0%A4%A')
  await expect(page.getByRole('heading', { level: 1, name: '400 Bad Request' })).toBeVisible()
  // The way that always works is the plainest to see, as on the other error pages.
  const buttons = await page.evaluate(() =>
    [...document.querySelectorAll('.ways > *')].map((way) => [
      way.textContent,
      getComputedStyle(way, '::before').backgroundColor === 'rgb(255, 77, 35)',
    ]),
  )
  expect(buttons).toEqual([
    ['Back to Home', true],
    ['Go Back', false],
    ['Reload Page', false],
  ])
  const reloaded = page.waitForResponse(/%E0%A4%A/)
  await page.getByRole('button', { name: 'Reload Page' }).click()
  expect((await reloaded).status()).toBe(400)
  await page.getByRole('button', { name: 'Go Back' }).click()
  await expect(page).toHaveURL(/\/subscription\/form$/)
  await page.goto('/%E0%A4%A')
  await page.getByRole('link', { name: 'Back to Home' }).click()
  await expect(page).toHaveURL(/\/$/)
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('an address that cannot be read offers only what works', async ({ page, complaints }) => {
    complaints.expect(/400/)
    await page.goto('/%E0%A4%A')
    await expect(page.getByRole('button')).toHaveCount(0)
    await page.getByRole('link', { name: 'Back to Home' }).click()
    await expect(page).toHaveURL(/\/$/)
  })

  test('no page shows a button that only a script can press', async ({ page, complaints }) => {
    complaints.expect(/40[04]/)
    for (const path of [
      '/',
      '/portfolio?project=blue-hour-in-rovaniemi',
      '/news/no-such-article',
      '/news/booking-opens-for-2027',
      '/calendar',
      '/booking',
      '/shop/products/blue-hour-fine-art-print',
      '/cookie-policy',
    ]) {
      await page.goto(path)
      const dead = page.locator('button[type="button"]:not([command]):visible')
      expect(await dead.allTextContents(), path).toEqual([])
    }
    await expect(page.locator('main noscript')).toBeVisible()
  })
})
