import { withheldTexts } from '#shared/folders/withheld.ts'
import { nef, packet } from '../support/raw-files.ts'
import { idsOf, photo, share } from '../support/shared-folder.ts'
import { expect, test } from './site.ts'

test('a camera file that cannot be cleaned has its reason in the place of its download', async ({
  site,
  page,
  complaints,
}) => {
  complaints.expect(/403/)
  const files = {
    'a.jpg': await photo(600, 400),
    'b.xmp': Buffer.from(packet),
    'c.nef': nef(),
    'd.tif': nef(),
  }
  const folder = await share(site, 'camera', files)
  const ids = idsOf(site, folder)
  await page.goto(`/s/${folder.key}`)
  const row = page.locator(`#file-${ids['c.nef']}`)
  await expect(row).toContainText(withheldTexts.one)
  await expect(row.getByRole('link')).toHaveText(['Ask us for it'])
  await expect(row.getByRole('checkbox')).toHaveCount(0)
  await expect(page.locator(`#file-${ids['b.xmp']}`).getByRole('link')).toHaveCount(2)
  await expect(page.getByText('2 RAW files aren’t available for download.')).toBeVisible()

  // The other is in the gallery by its name, and has its reason in the viewer.
  const tile = page.locator(`#file-${ids['d.tif']}`)
  await expect(tile.getByRole('checkbox')).toHaveCount(0)
  await tile.getByRole('link').click()
  const viewer = page.getByRole('dialog')
  await expect(viewer).toContainText(withheldTexts.one)
  await expect(viewer.getByRole('link', { name: /Original/ })).toHaveCount(0)
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Select all' }).click()
  await expect(page.getByText('2 files selected')).toBeVisible()

  const refused = await page.goto(`/s/${folder.key}/files/${ids['c.nef']}`)
  expect(refused?.status()).toBe(403)
  await expect(page.getByText(withheldTexts.one)).toBeVisible()
  await page.getByRole('link', { name: 'Back to the gallery' }).click()
  await expect(row).toBeVisible()
  await row.getByRole('link', { name: 'Ask us for it' }).click()
  await expect(page.getByRole('textbox', { name: /name/i }).first()).toBeVisible()
})
