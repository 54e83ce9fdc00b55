import type { Page } from 'playwright/test'
import { makeClient, signIn } from '../support/clients.ts'
import { enter } from '../support/code-form.ts'
import { makeGuarded, numberAt, wrongNumber } from '../support/second-factor.ts'
import { expect, test, violations } from './site.ts'

const numberField = (page: Page) => page.getByLabel('Number from your app')

const confirm = async (page: Page, number: string) => {
  await numberField(page).fill(number)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

const sideways = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

test.use({ viewport: { width: 390, height: 844 } })

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled })

    test('a code asks for its number, and leads to the desk once that is right', async ({
      page,
      site,
      complaints,
    }) => {
      complaints.expect(/401/)
      const { code, secret } = await makeGuarded(site)
      await page.goto('/desk')
      await enter(page, code)
      await expect(numberField(page)).toBeVisible()
      await expect(page.getByLabel('Secret code')).toHaveCount(0)
      expect(await sideways(page)).toBe(0)
      // The code is nowhere in what came back.
      expect(page.url()).not.toContain(code)
      expect(await page.content()).not.toContain(code)
      if (javaScriptEnabled) {
        await expect(numberField(page)).toBeFocused()
        expect(await violations(page)).toEqual([])
      }

      await confirm(page, wrongNumber(secret, site.clock()))
      await expect(page.getByText('Wrong number. Try the one your app shows now.')).toBeVisible()
      await confirm(page, numberAt(secret, site.clock()))
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Today')
      await expect(page).toHaveURL('/desk#result')
      const cookies = await page.context().cookies()
      expect(cookies.map(({ name }) => name).filter((name) => name === 'sign_in')).toEqual([])
    })

    test('a challenge that took too long leads back to the code', async ({
      page,
      site,
      complaints,
    }) => {
      complaints.expect(/401/)
      const { code, secret, recovery } = await makeGuarded(site)
      await page.goto('/client-zone')
      await enter(page, code)
      await expect(numberField(page)).toBeVisible()
      site.clock.advance(300_000)
      await confirm(page, numberAt(secret, site.clock()))
      await expect(
        page.getByText('That took too long. Please enter your secret code again.'),
      ).toBeVisible()
      await enter(page, code)
      await confirm(page, recovery[0]!)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Staff')
    })

    test('staff see where they are signed in, and end one session, then all others', async ({
      page,
      site,
    }) => {
      const { code } = await makeClient(site, {
        name: 'Staff',
        panel: 'staff',
        label: 'Aino',
        scopes: ['desk', 'ops'],
      })
      const colleague = await makeClient(site, {
        name: 'Press',
        panel: 'press',
        scopes: ['links'],
      })
      const agent =
        'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
      const elsewhere = [await signIn(site, code), await signIn(site, code)]
      await signIn(site, colleague.code, { headers: { 'User-Agent': agent } })
      await page.goto('/desk')
      await enter(page, code)
      await page.getByRole('link', { name: 'Sessions' }).click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sessions')
      expect(await sideways(page)).toBe(0)
      if (javaScriptEnabled) expect(await violations(page)).toEqual([])
      await expect(page.getByText('This one')).toHaveCount(1)
      await page.getByRole('button', { name: 'End: Press, Firefox on Windows' }).click()
      await expect(page.getByText('No other staff are signed in.')).toBeVisible()
      await page.getByRole('button', { name: 'End all others' }).click()
      await expect(page.getByRole('button', { name: 'End all others' })).toHaveCount(0)
      await expect(page.getByText('This one')).toHaveCount(1)
      for (const Cookie of elsewhere) {
        const { json } = await site.get('/api/session', { headers: { Cookie } })
        expect(json?.signedIn).toBe(false)
      }
    })

    test('a client signs out everywhere', async ({ page, site }) => {
      const { code } = await makeClient(site)
      const Cookie = await signIn(site, code)
      await page.goto('/client-zone')
      await enter(page, code)
      await page.getByRole('button', { name: 'End all sessions' }).click()
      await expect(page).toHaveURL(/\/$/)
      const { json } = await site.get('/api/session', { headers: { Cookie } })
      expect(json?.signedIn).toBe(false)
    })
  })
}
