import type { Locator, Page } from 'playwright/test'
import { settled } from '../support/enquiry.ts'
import { mailFiles } from '../support/mail-files.ts'
import { expect, test } from './site.ts'

const footer = (page: Page) => page.getByRole('contentinfo')
const field = (page: Page) => footer(page).getByLabel('Email address')

/** The form of the footer, with its code loaded. */
async function openForm(page: Page): Promise<Locator> {
  await page.goto('/')
  await field(page).scrollIntoViewIfNeeded()
  // Once its code is there, the messages are ours.
  await expect(footer(page).locator('form')).toHaveJSProperty('noValidate', true)
  return field(page)
}

test('subscribing, confirming and leaving, from the footer to the last page', async ({
  page,
  site,
}) => {
  const input = await openForm(page)
  await input.fill('aino@example.com')
  const [tab] = await Promise.all([
    page.waitForEvent('popup'),
    footer(page).getByRole('button', { name: 'Subscribe' }).click(),
  ])
  await expect(tab.getByRole('heading', { level: 1 })).toHaveText(
    'One more step: confirm in your inbox',
  )
  await expect(footer(page).getByText('Thank you for subscribing!')).toBeVisible()
  const button = footer(page).getByRole('button', { name: 'Subscribed!' })
  await expect(button).toBeDisabled()
  await expect(input).toBeDisabled()
  await expect(input).toHaveValue('')

  await settled(site)
  const [mail] = mailFiles(site.dataDir)
  await tab.goto(/https?:\S+\/subscription\/confirm\/[^\s)]+/.exec(mail!.text)![0])
  expect(site.context.features.newsletter.subscribers.find('aino@example.com')?.status).toBe(
    'pending',
  )
  await tab.getByRole('button', { name: 'Confirm subscription' }).click()
  await expect(tab.getByRole('heading', { level: 1 })).toHaveText('You’re subscribed')
  const subscriber = site.context.features.newsletter.subscribers.find('aino@example.com')!
  expect(subscriber.status).toBe('subscribed')

  await tab.goto(`/subscription/leave/${subscriber.leaveToken}`)
  await tab.getByRole('button', { name: 'Unsubscribe' }).click()
  await expect(tab.getByRole('heading', { level: 1 })).toHaveText('You’ve been unsubscribed')
})

test('an invalid address shows its message at once, and typing removes it', async ({ page }) => {
  const input = await openForm(page)
  for (const wrong of ['', 'aino', 'aino@example', 'a b@example.com']) {
    await input.fill(wrong)
    await footer(page).getByRole('button', { name: 'Subscribe' }).click()
    await expect(footer(page).getByText('Please enter a valid email address')).toBeVisible()
    await expect(input).toHaveAttribute('aria-invalid', 'true')
    await expect(input).toBeFocused()
  }
  await input.pressSequentially('x')
  await expect(footer(page).getByText('Please enter a valid email address')).toBeHidden()
  expect(page.context().pages()).toHaveLength(1)
})

for (const [what, thrown, message] of [
  ['an error', 'new Error("The tab was refused")', 'The tab was refused'],
  ['something else', '"oops"', 'An unexpected error occurred'],
]) {
  test(`when the form throws ${what}, its message is shown and the form stays usable`, async ({
    page,
    complaints,
  }) => {
    complaints.expect(/refused|oops/)
    const input = await openForm(page)
    await page.evaluate(`HTMLFormElement.prototype.submit = () => { throw ${thrown} }`)
    await input.fill('aino@example.com')
    await footer(page).getByRole('button', { name: 'Subscribe' }).click()
    await expect(footer(page).getByText(message!)).toBeVisible()
    await expect(footer(page).getByRole('button', { name: 'Subscribe' })).toBeEnabled()
    await expect(input).toHaveValue('aino@example.com')
  })
}

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('the form posts as it stands into a new tab', async ({ page, site }) => {
    await page.goto('/')
    await field(page).fill('aino@example.com')
    const [tab] = await Promise.all([
      page.waitForEvent('popup'),
      footer(page).getByRole('button', { name: 'Subscribe' }).click(),
    ])
    await expect(tab.getByRole('heading', { level: 1 })).toHaveText(
      'One more step: confirm in your inbox',
    )
    expect(site.context.features.newsletter.subscribers.find('aino@example.com')?.status).toBe(
      'pending',
    )
  })
})

test.describe('with another list service', () => {
  test.use({
    env: { NEWSLETTER_URL: 'https://lists.example/subscription/form', NEWSLETTER_LIST: 'abc' },
  })

  test('the form posts the fields that the mailing list service expects', async ({
    page,
    context,
  }) => {
    let posted = ''
    await context.route('https://lists.example/**', async (route) => {
      posted = route.request().postData() ?? ''
      await route.fulfill({ contentType: 'text/html', body: '<h1>Elsewhere</h1>' })
    })
    const input = await openForm(page)
    await input.fill('aino@example.com')
    const [tab] = await Promise.all([
      page.waitForEvent('popup'),
      footer(page).getByRole('button', { name: 'Subscribe' }).click(),
    ])
    await expect(tab.getByRole('heading')).toHaveText('Elsewhere')
    expect([...new URLSearchParams(posted)]).toEqual([
      ['email', 'aino@example.com'],
      ['l', 'abc'],
      ['name', ''],
    ])
  })

  test.describe('and without scripts', () => {
    test.use({ javaScriptEnabled: false })

    test('the form posts the same fields', async ({ page }) => {
      await page.goto('/')
      const form = footer(page).locator('form')
      await expect(form).toHaveAttribute('action', 'https://lists.example/subscription/form')
      const names = await form
        .locator('[name]')
        .evaluateAll((controls) => controls.map((control) => control.getAttribute('name')))
      expect(names).toEqual(['email', 'l', 'name'])
    })
  })
})
