import { expect, test } from './site.ts'

test.use({ development: true })

test('in development pages come alive without a complaint, and lead to each other', async ({
  page,
}) => {
  await page.goto('/')
  await page.getByRole('banner').getByRole('link', { name: 'Book Now' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Book your dates', {
    timeout: 20_000,
  })
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'News' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('News from the paddock')
})
