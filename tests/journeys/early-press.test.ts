import { alive, expect, openWithoutCode, test } from './site.ts'

test('a press of "Cookie preferences" is kept until its code is there', async ({ page }) => {
  const release = await openWithoutCode(page, '/')
  await page.getByRole('button', { name: 'Cookie preferences' }).click()
  release()
  await expect(page.getByRole('dialog', { name: 'Cookie preferences' })).toBeVisible()
})

test('a press of "Contact Us" is kept until its code is there', async ({ page }) => {
  const release = await openWithoutCode(page, '/')
  await page.locator('[data-hero]').getByRole('button', { name: 'Contact Us' }).click()
  await expect(page).toHaveURL('/')
  release()
  await expect(page.getByRole('dialog', { name: 'Contact us' })).toBeVisible()
  await expect(page).toHaveURL('/')
})

test('a press of a Contact link in the footer is kept until its code is there', async ({
  page,
}) => {
  const release = await openWithoutCode(page, '/about-us')
  const footer = page.getByRole('contentinfo')
  await footer.getByRole('link', { name: 'Contact', exact: true }).click()
  release()
  await expect(page.getByRole('dialog', { name: 'Contact us' })).toBeVisible()
  await expect(page).toHaveURL('/about-us')
})

test('a press of "Contact Us" leads to the page without scripts where the code cannot come', async ({
  page,
  complaints,
}) => {
  complaints.expect(/ERR_FAILED/)
  let fail = () => {}
  const failed = new Promise<void>((resolve) => (fail = resolve))
  await page.route('**/entry-client-*.js', async (route) => {
    await failed
    await route.abort()
  })
  await page.goto('/', { waitUntil: 'commit' })
  await page.locator('[data-hero]').getByRole('button', { name: 'Contact Us' }).click()
  fail()
  await expect(page).toHaveURL(/\/contactwindow/)
})

test('the code comes by itself, also while the large picture does not', async ({ page }) => {
  await page.route('**/assets/*fit=cover*', () => {})
  await page.goto('/', { waitUntil: 'commit' })
  await alive(page)
})
