import type { Page } from 'playwright/test'
import { registered, storageRegistry, type StoredItem } from '#shared/consent/storage-registry.ts'
import { makeClient } from '../support/clients.ts'
import { photo, share } from '../support/shared-folder.ts'
import { signIn } from '../support/staff.ts'
import { alive, expect, fill, storedItems, test } from './site.ts'

test.use({ decided: false })

/**
 * Nothing on an unencrypted site stores what begins with __Host-; `order` comes with the code for an
 * order, long after it was placed; `auth_token` is only ever removed; what staff typed is stored when a
 * page of the desk is left, and their name on a page that an email's link opened.
 */
const elsewhere = [
  '__Host-client',
  'sign_in',
  '__Host-sign_in',
  '__Host-folder_*',
  '__Host-cart',
  'order',
  '__Host-order',
  'auth_token',
  'desk_typed:*',
  'desk_name',
]

test('the cookie policy lists exactly what a whole visit stores', async ({
  page,
  site,
  complaints,
}) => {
  // A folder that asks for its password.
  complaints.expect(/401/)
  test.setTimeout(120_000)
  const names = await keepNames(page)
  const { code } = await makeClient(site)
  const password = 'Talvi ralli'
  const folder = await share(site, 'winter', { 'PIT_1.jpg': await photo() }, { password })

  await page.clock.install()
  await page.goto('/')
  await page.getByRole('region', { name: 'Cookie preferences' }).getByText('Reject').click()
  await page.getByRole('button', { name: 'Switch theme' }).click()
  await page.clock.fastForward(4000)
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem('sitemap_last_generated')))
    .not.toBeNull()

  await page.goto('/test')
  await expect(page.getByText('Everything works.')).toBeVisible()
  const bar = page.getByRole('navigation', { name: 'Main' })
  await bar.getByRole('link', { name: 'Services' }).click()
  await expect(page).toHaveURL('/')

  await bar.getByRole('link', { name: 'Contact' }).click()
  const modal = page.getByRole('dialog', { name: 'Contact us' })
  await fill(modal)
  await modal.getByRole('button', { name: 'Send Message' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('Your ticket number')

  await page.goto('/shop/products/blue-hour-fine-art-print')
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Cart, 1 piece' })).toBeVisible()

  await page.goto('/shop/checkout')
  await page.getByLabel('Town').fill('Oulu')
  await expect
    .poll(() => page.evaluate(() => sessionStorage.getItem('checkout_draft')))
    .toContain('Oulu')

  await page.goto('/booking')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Aino')
  await expect
    .poll(() => page.evaluate(() => sessionStorage.getItem('booking_draft')))
    .not.toBeNull()

  await page.goto('/client-zone')
  await page.getByLabel('Secret code').fill(code)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(/\/panel\/nordic-rally-team(?:#|$)/)

  await page.goto(`/s/${folder.key}`)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Arctic Rally' })).toBeVisible()
  await alive(page)
  await page.getByRole('checkbox', { name: 'Select PIT_1.jpg' }).check({ force: true })
  await expect(page.getByText('1 file selected')).toBeVisible()
  await page.getByRole('button', { name: 'Favourite PIT_1.jpg' }).click()
  await expect(page.getByText('1 favourite', { exact: true })).toBeVisible()
  await page.getByLabel('Message').fill('Warmer, please')

  const staff = await signIn(site, ['desk'])
  const value = /client=([\w-]+)/.exec(staff.headers.Cookie!)![1]!
  await page.context().addCookies([{ name: 'client', value, url: site.url }])
  await page.goto(`/desk/folders/${folder.key}`)
  await alive(page)
  await page
    .getByLabel('Photos, films, sound and documents')
    .setInputFiles({ name: 'PIT_2.jpg', mimeType: 'image/jpeg', buffer: await photo() })
  await page.getByRole('button', { name: 'Upload' }).click()
  await expect(page.getByText('1 of 1 uploaded')).toBeVisible()
  await page.getByText('Keyboard', { exact: true }).click()
  await page.getByRole('checkbox', { name: 'Use these keys' }).uncheck({ force: true })

  const seen = new Map<StoredItem | undefined, string>()
  for (const [store, name] of [...names(), ...(await storedItems(page))]) {
    seen.set(registered(store, name), `${store} ${name}`)
  }
  expect(seen.get(undefined), 'stored, but in no registry').toBeUndefined()
  const unseen = storageRegistry.filter((item) => !item.measuring && !seen.has(item))
  expect(unseen.map(({ name }) => name)).toEqual(elsewhere)
})

/** Writes down every name that the page stores, however short its life. @returns what reads them */
async function keepNames(page: Page) {
  const kept: (readonly ['local' | 'session', string])[] = []
  await page.exposeFunction('keepName', (store: 'local' | 'session', name: string) => {
    kept.push([store, name])
  })
  await page.addInitScript(() => {
    const { keepName } = globalThis as typeof globalThis & {
      keepName(...words: string[]): void
    }
    const { setItem } = Storage.prototype
    Storage.prototype.setItem = function keep(name, value) {
      keepName(this === localStorage ? 'local' : 'session', name)
      setItem.call(this, name, value)
    }
  })
  return () => kept
}
