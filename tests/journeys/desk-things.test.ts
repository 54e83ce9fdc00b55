import type { Page } from 'playwright/test'
import { makeClient } from '../support/clients.ts'
import { saveEnquiry, settled } from '../support/enquiry.ts'
import { idsOf, inPanel, share } from '../support/shared-folder.ts'
import { orderByInvoice } from '../support/shop.ts'
import type { Site } from '../support/site.ts'
import { signIn } from '../support/staff.ts'
import { expect, test, violations } from './site.ts'

const clientPath = '/desk/clients/nordic-rally-team'

/** A client with a folder that has picks, an order and a ticket, and staff who are signed in. */
async function prepare(site: Site, page: Page) {
  const { client } = await makeClient(site, {
    emails: ['aino@example.com', 'a.very.long.address.of.someone@a-rather-long-domain.example.com'],
    label: 'Aino’s phone',
  })
  const folder = await share(site, 'rally', {
    'stage-one/an-image-with-a-rather-long-name-0001.txt': 'a',
    'b.txt': 'b',
  })
  await inPanel(site, client.id, folder)
  const ids = Object.values(idsOf(site, folder))
  const { favourites } = site.context.features.folders
  await site.context.commit((tx) => {
    for (const id of ids) favourites.save(tx, folder, 'hash', id, { heart: true, comment: 'Crop' })
    favourites.submit(tx, folder, 'hash', { name: 'Aino', note: 'In a hurry' })
  })
  await saveEnquiry(site)
  await orderByInvoice(site, [['blue-hour-fine-art-print', '30x40-matte', 1]])
  await settled(site)
  const { headers } = await signIn(site, ['desk'], { name: 'Noora' })
  const value = /client=([\w-]+)/.exec(headers.Cookie ?? '')![1]!
  await page.context().addCookies([{ name: 'client', value, url: site.url }])
  return { folderPath: `/desk/folders/${folder.key}` }
}

const sideways = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** Opens an act and gives its form. */
async function act(page: Page, label: string) {
  await page.locator('summary').filter({ hasText: label }).click()
  return page.locator('details[open]').filter({ hasText: label })
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(`at 390 px ${javaScriptEnabled ? 'with' : 'without'} scripts`, () => {
    test.use({ viewport: { width: 390, height: 844 }, javaScriptEnabled })

    test('staff find a client, send a new code, change a folder and look at the person', async ({
      page,
      site,
    }) => {
      const { folderPath } = await prepare(site, page)
      await page.goto('/desk')
      await page.getByRole('searchbox').fill('nordic')
      await page.getByRole('button', { name: 'Find' }).click()
      await page.getByRole('link', { name: 'Nordic Rally Team', exact: true }).first().click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Nordic Rally Team')
      expect(await sideways(page)).toBe(0)

      const making = await act(page, 'Make a new code')
      await making.getByLabel('Who has it').fill('Eero')
      await making.getByRole('checkbox', { name: 'Mark favourites' }).uncheck()
      await making.getByRole('button', { name: 'Make a new code' }).click()
      const told = page.getByRole('alert')
      await expect(told).toContainText(/The new code: [A-Z\d]{5}-[A-Z\d]{5}/)
      await expect(told).toContainText('Hi Nordic Rally Team,')
      await expect(page.getByText('Noora: code created')).toBeVisible()
      await expect(page.getByText('view, download · works · never used · no end')).toHaveCount(2)
      expect(await sideways(page)).toBe(0)

      await page.goto(clientPath)
      await expect(page.getByRole('alert')).toHaveCount(0)
      await page.getByRole('link', { name: 'Arctic Rally' }).click()
      await expect(page).toHaveURL(new RegExp(`${folderPath}$`))
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Arctic Rally')
      expect(await sideways(page)).toBe(0)
      const naming = await act(page, 'Change the title')
      await naming.getByLabel('Title').fill('Ice Rally')
      await naming.getByRole('button', { name: 'Change the title' }).click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ice Rally')
      const setting = await act(page, 'Set a password')
      await setting.getByLabel('Password').fill('quiet-corner-7')
      await setting.getByRole('button', { name: 'Set a password' }).click()
      await expect(page.getByText('its password, or a code of its clients')).toBeVisible()
      const renewing = await act(page, 'Give it a new address')
      await renewing.getByRole('button', { name: 'Give it a new address' }).click()
      await expect(page.getByText('Noora: new address')).toBeVisible()
      expect(page.url()).not.toContain(folderPath)

      await page.goto('/desk?email=AINO@example.com')
      await expect(page).toHaveURL(/\/desk\/people\/aino@example\.com$/)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('aino@example.com')
      expect(await sideways(page)).toBe(0)
      await page.getByRole('link', { name: 'Race weekend in Imatra' }).click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Race weekend in Imatra')

      await page.goto(clientPath)
      const removing = await act(page, 'Remove the client')
      await removing.getByRole('checkbox').check()
      await removing.getByRole('button', { name: 'Remove the client' }).click()
      await expect(page).toHaveURL(/\/desk(#result)?$/)
    })
  })
}

test('clients, folders and people have no violation, whatever is open', async ({ page, site }) => {
  // Eighteen scans of long pages.
  test.setTimeout(180_000)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const { folderPath } = await prepare(site, page)
  for (const width of [390, 820, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    for (const path of [clientPath, folderPath, '/desk/people/aino@example.com']) {
      await page.goto(path)
      await page.evaluate(() => {
        for (const each of document.querySelectorAll('details')) each.open = true
      })
      expect([path, width, await sideways(page)]).toEqual([path, width, 0])
      // In the light theme and in the dark one.
      expect([path, width, await violations(page)]).toEqual([path, width, []])
    }
  }
})
