import { expect, openAsleep, test } from './site.ts'

test('a press of "Cookie preferences" is kept until its code is there', async ({ page }) => {
  const release = await openAsleep(page, '/')
  await page.getByRole('button', { name: 'Cookie preferences' }).click()
  release()
  await expect(page.getByRole('dialog', { name: 'Cookie preferences' })).toBeVisible()
})

for (const [name, place, subject] of [['Contact Us', '[data-hero]', '']] as const) {
  test(`a press of "${name}" is kept until its code is there`, async ({ page }) => {
    const release = await openAsleep(page, '/')
    await page.locator(place).getByRole('button', { name }).click()
    await expect(page).toHaveURL('/')
    release()
    const modal = page.getByRole('dialog', { name: 'Contact us' })
    await expect(modal.getByLabel('Subject')).toHaveValue(subject)
    await expect(page).toHaveURL('/')
  })
}

test('the load event waits for the code', async ({ page }) => {
  const release = await openAsleep(page, '/')
  await page.waitForRequest('**/entry-client-*.js')
  await page.waitForTimeout(500)
  expect(await page.evaluate(() => document.readyState)).toBe('interactive')
  release()
  await page.waitForLoadState('load')
})
