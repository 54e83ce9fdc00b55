import type { Page } from 'playwright/test'
import { saveEnquiry, settled } from '../support/enquiry.ts'
import type { Site } from '../support/site.ts'
import { signIn } from '../support/staff.ts'
import { expect, test, violations } from './site.ts'

test.describe.configure({ timeout: 180_000 })

/** Gives the browser the session of someone of staff, with a ticket that waits. @returns the code's number */
async function enter(site: Site, page: Page) {
  await saveEnquiry(site, { 'Ticket ID': 'robot1', website: 'x' })
  await settled(site)
  const { headers, codeId } = await signIn(site, ['desk'], { name: 'Noora' })
  const value = /client=([\w-]+)/.exec(headers.Cookie ?? '')![1]!
  await page.context().addCookies([{ name: 'client', value, url: site.url }])
  return codeId
}

/** Waits until the page has asked once more who is signed in, as it does when it is opened, and reads once more. */
const settledPage = async (page: Page) => {
  await page.waitForFunction(() => localStorage.getItem('clientPanelAuth') !== null)
  await page.waitForLoadState('networkidle')
  await expect(explanation(page)).toBeVisible()
}

const search = (page: Page) => page.getByRole('searchbox')
const explanation = (page: Page) => page.getByText('Keyboard', { exact: true })

test('keys search, walk through the list and change the page; they never take what is typed', async ({
  page,
  site,
}) => {
  await enter(site, page)
  await page.goto('/desk')
  await settledPage(page)
  await page.keyboard.press('j')
  await expect(page.getByRole('link', { name: 'Race weekend in Imatra' })).toBeFocused()
  await page.keyboard.press('/')
  await expect(search(page)).toBeFocused()
  await expect(search(page)).toHaveValue('')
  await page.keyboard.type('gs?/jk')
  await expect(search(page)).toHaveValue('gs?/jk')
  expect(new URL(page.url()).pathname).toBe('/desk')

  await search(page).blur()
  await page.keyboard.press('Control+j')
  await expect(page.getByRole('link', { name: 'Race weekend in Imatra' })).not.toBeFocused()
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await expect(page).toHaveURL(/\/desk\/sessions$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Sessions' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Today' })).toHaveCount(0)
  await page.keyboard.press('g')
  await page.keyboard.press('t')
  await expect(page).toHaveURL(/\/desk$/)

  await page.keyboard.press('?')
  await expect(explanation(page)).toBeFocused()
  await expect(page.getByText('Previous thing in the list')).toBeVisible()
  expect(await violations(page)).toEqual([])

  await page.getByLabel('Use these keys').uncheck()
  await page.reload()
  await expect(explanation(page)).toBeVisible()
  await page.keyboard.press('/')
  await expect(search(page)).not.toBeFocused()
})

test('an open desk says what else waits by now, and asks for a code once its own is revoked', async ({
  page,
  site,
  complaints,
}) => {
  complaints.expect(/401/)
  const codeId = await enter(site, page)
  await page.clock.install()
  await page.goto('/desk')
  await settledPage(page)
  await saveEnquiry(site, { 'Ticket ID': 'robot2', Email: 'b@example.com', website: 'x' })
  await settled(site)
  site.clock.advance(10_000)
  await page.clock.fastForward(31_000)
  await expect(page.getByRole('status')).toContainText('One more thing is waiting.')
  await expect(page.getByRole('heading', { name: 'Tickets in quarantine 2' })).toBeVisible()
  await page.getByRole('button', { name: 'Update the list' }).click()
  await expect(page.getByRole('link', { name: 'Race weekend in Imatra' })).toHaveCount(2)
  await expect(page.getByRole('status')).toHaveText('')

  await site.context.commit((tx) => site.context.features.clients.codes.revoke(tx, codeId))
  await page.clock.fastForward(31_000)
  await expect(page.getByText('Sign in with a staff code.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Race weekend in Imatra' })).toHaveCount(0)
})
