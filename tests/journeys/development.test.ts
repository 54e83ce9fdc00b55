import { expect, test } from './site.ts'

test.use({ development: true })

test('in development pages come alive without a complaint, and lead to each other', async ({
  page,
}) => {
  await page.goto('/')
  await page.getByRole('banner').getByRole('button', { name: 'Book Now' }).click()
  const modal = page.getByRole('dialog', { name: 'Contact us' })
  await expect(modal.getByLabel('Subject')).toHaveValue('Booking request', { timeout: 20_000 })
  await page.keyboard.press('Escape')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'News' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('News from the paddock')
})
