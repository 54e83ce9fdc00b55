import { alive, expect, test, violations } from './site.ts'

for (const width of [390, 1440]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 900 }, reducedMotion: 'reduce' })

    test('the home page has no violation', async ({ page }) => {
      await page.goto('/')
      await alive(page)
      await page.locator('#contact').scrollIntoViewIfNeeded()
      await expect(page.getByText(/^Verification: What is/)).toBeVisible()
      await page.evaluate(() => scrollTo(0, 0))
      await expect(page.locator('html')).not.toHaveAttribute('data-scrolled')
      expect(await violations(page)).toEqual([])
    })

    test('the contact modal with errors has no violation', async ({ page }) => {
      await page.goto('/')
      await page.getByRole('button', { name: 'Contact Us' }).click()
      const modal = page.getByRole('dialog', { name: 'Contact us' })
      await expect(modal.getByText(/^Verification: What is/)).toBeVisible()
      await modal.getByRole('button', { name: 'Send Message' }).click()
      await expect(modal.getByText('Name is required')).toBeVisible()
      expect(await violations(page)).toEqual([])
    })

    test('the contact window has no violation', async ({ page }) => {
      await page.goto('/contactwindow')
      await expect(page.getByText(/^Verification: What is/)).toBeVisible()
      expect(await violations(page)).toEqual([])
    })

    test('the not-found page has no violation', async ({ page, complaints }) => {
      complaints.expect(/404/)
      await page.goto('/no-such-page')
      expect(await violations(page)).toEqual([])
    })
  })
}
