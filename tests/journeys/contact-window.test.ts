import { formProofLimits } from '#shared/forms/form-proof.ts'
import { thanks } from '../support/contact-thanks.ts'
import { expect, fill, openContactModal, stopClock, test } from './site.ts'

test('the thank-you popup closes with the modal after 8 s', async ({ page }) => {
  await page.clock.install()
  const modal = await openContactModal(page)
  await fill(modal)
  await stopClock(page)
  await page.clock.runFor(formProofLimits.minAgeMs)
  await modal.getByRole('button', { name: 'Send Message' }).click()
  const popup = page.getByRole('alertdialog')
  await expect(popup.getByText(thanks)).toBeVisible()
  await page.clock.runFor(7900)
  await expect(popup).toBeVisible()
  await page.clock.runFor(200)
  await expect(popup).toBeHidden()
  await expect(modal).toBeHidden()

  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Contact' })
    .click()
  await expect(modal.getByRole('status')).toContainText('Your ticket number:')
})

test('the modal closes by Escape and by its backdrop, and gives the focus back', async ({
  page,
}) => {
  const modal = await openContactModal(page)
  await page.keyboard.press('Escape')
  await expect(modal).toBeHidden()
  const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Contact' })
  await expect(link).toBeFocused()
  await link.click()
  await expect(modal).toBeVisible()
  await page.mouse.click(5, 5)
  await expect(modal).toBeHidden()
})

test('Back closes the modal, and what was typed is there when it opens again', async ({ page }) => {
  await page.goto('/news')
  const navigation = page.getByRole('navigation', { name: 'Main' })
  await navigation.getByRole('link', { name: 'Portfolio' }).click()
  await expect(page).toHaveURL('/portfolio')
  await navigation.getByRole('link', { name: 'Contact' }).click()
  const modal = page.getByRole('dialog', { name: 'Contact us' })
  await modal.getByLabel('Message').fill('Which dates are free?')
  await page.goBack()
  await expect(page).toHaveURL('/news')
  await expect(modal).toBeHidden()
  await navigation.getByRole('link', { name: 'Contact' }).click()
  await expect(modal.getByLabel('Message')).toHaveValue('Which dates are free?')
})

test('Book Now leads to the booking form', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('banner').getByRole('link', { name: 'Book Now' }).click()
  await expect(page).toHaveURL('/booking')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Book your dates')
})

test('the contact window is a form and nothing else', async ({ page }) => {
  await page.goto('/contactwindow')
  await expect(page.getByRole('banner')).toBeHidden()
  await expect(page.getByRole('contentinfo')).toBeHidden()
  const main = page.getByRole('main')
  await fill(main)
  await main.getByRole('button', { name: 'Send Message' }).click()
  await expect(page.getByRole('alertdialog').getByText(thanks)).toBeVisible()
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('the form posts, and the answer is a page with the ticket number', async ({ page }) => {
    await page.goto('/contactwindow')
    const main = page.getByRole('main')
    for (const name of ['name', 'email', 'subject', 'message', 'captcha', 'website']) {
      await expect(main.locator(`[name=${name}]`)).toHaveCount(1)
    }
    await fill(main)
    await main.getByRole('button', { name: 'Send Message' }).click()
    await expect(page.getByRole('status')).toHaveText(thanks)
  })
})
