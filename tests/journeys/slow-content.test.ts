import { dist } from '#server/build.ts'
import { builtRenderer } from '#server/renderer.ts'
import { startDirectus } from '../support/directus-double.ts'
import { startSite } from '../support/site.ts'
import { enquiry, expect, sum, test } from './site.ts'

const settings = { id: 1, brand: 'Slow Lane Media', email: 'late@slowlane.example' }

test('what is written before the settings arrive stays, and the focus with it', async ({
  page,
}) => {
  await using directus = await startDirectus({ collections: { settings } })
  directus.fail({ kind: 'delay', ms: 2500 }, { path: '/items/settings' })
  await using site = await startSite({
    renderer: await builtRenderer(dist),
    env: { CONTENT_URL: directus.url },
  })
  await page.goto(site.url, { waitUntil: 'commit' })
  const section = page.getByRole('region', { name: "Let's Create Something Exceptional" })
  for (const name of ['name', 'email', 'subject', 'message'] as const) {
    await section.locator(`[name=${name}]`).fill(enquiry[name])
  }
  await expect(section.getByText(settings.email)).toHaveCount(0)

  await expect(section.getByText(settings.email)).toBeVisible({ timeout: 20_000 })
  await expect(section.getByLabel('Message')).toHaveValue(enquiry.message)
  await expect(section.getByLabel('Name')).toHaveValue(enquiry.name)
  await expect(section.getByLabel('Message')).toBeFocused()

  // What was not known when the shell left is known to its parts by now.
  await expect(page.getByRole('banner')).toContainText(settings.brand)
  const notice = page.waitForRequest(
    (request) =>
      request.url().endsWith('/api/send-email') &&
      (request.postData() ?? '').includes('New message from website'),
  )
  await section.getByLabel(/^Verification: What is/).fill(String(await sum(section)))
  await section.getByRole('button', { name: 'Send Message' }).click()
  expect((await notice).postDataJSON()).toMatchObject({
    to: [{ email: settings.email, name: settings.brand }],
  })
  await expect(page.getByRole('alertdialog', { name: 'Message sent' })).toBeVisible()
})
