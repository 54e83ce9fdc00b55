import type { BrowserContext } from 'playwright/test'
import { makeClient } from '../support/clients.ts'
import { enter } from '../support/code-form.ts'
import { expect, test } from './site.ts'

test.describe('the form', () => {
  test('refuses short codes itself, and says what the server says of others', async ({
    page,
    complaints,
  }) => {
    complaints.expect(/401/)
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/api/authenticate-client')) asked.push(request.postData() ?? '')
    })
    await page.goto('/client-zone')
    await enter(page, ' ab ')
    await expect(page.getByText('Secret code must be at least 3 characters long')).toBeVisible()
    expect(asked).toEqual([])
    await enter(page, 'wrong code')
    await expect(page.getByText('Invalid secret code. Please try again.')).toBeVisible()
    await expect(page.getByLabel('Secret code')).toBeFocused()
    expect(asked).toEqual(['{"secretCode":"wrong code"}'])
    await page.getByLabel('Secret code').fill('another')
    await expect(page.getByText('Invalid secret code. Please try again.')).toBeHidden()
  })

  test('says so when the server cannot be reached', async ({ page, context, complaints }) => {
    complaints.expect(/ERR_INTERNET_DISCONNECTED|Failed to fetch/)
    await page.goto('/client-zone')
    await page.getByLabel('Secret code').focus()
    await context.setOffline(true)
    await enter(page, 'ABCDE-FGHJK')
    await expect(
      page.getByText('An error occurred during authentication. Please try again later.'),
    ).toBeVisible()
  })

  for (const [what, status, json, said] of [
    [
      'a refusal with a fine status',
      200,
      { success: false, message: 'This code is for the paddock.' },
      'This code is for the paddock.',
    ],
    ['a refusal without words', 200, { success: false }, 'Invalid secret code. Please try again.'],
    [
      'a refusal of a broken server',
      500,
      { success: false },
      'Invalid secret code. Please try again.',
    ],
    [
      'an answer of another shape',
      200,
      [1],
      'An error occurred during authentication. Please try again later.',
    ],
  ] as const) {
    test(`judges the answer and not its status: ${what}`, async ({ page, complaints }) => {
      complaints.expect(/status of 500/)
      await page.goto('/client-zone')
      await page.route('**/api/authenticate-client', (route) => route.fulfill({ status, json }))
      await enter(page, 'ABCDE-FGHJK')
      await expect(page.getByText(said)).toBeVisible()
      expect(await page.evaluate(() => localStorage.getItem('clientPanelAuth'))).toBeNull()
    })
  }

  test('judges the answer and not its status: a success with another status', async ({
    site,
    page,
    complaints,
  }) => {
    complaints.expect(/status of 401/)
    const { code } = await makeClient(site)
    await page.goto('/client-zone')
    await page.route('**/api/authenticate-client', async (route) => {
      await route.fulfill({ response: await route.fetch(), status: 401 })
    })
    await enter(page, code)
    await expect(page).toHaveURL('/panel/nordic-rally-team#result')
  })

  test('takes a page in the place of an answer for a server out of reach', async ({
    page,
    complaints,
  }) => {
    complaints.expect(/status of 502/)
    await page.goto('/client-zone')
    await page.route('**/api/authenticate-client', (route) =>
      route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
    )
    await enter(page, 'ABCDE-FGHJK')
    await expect(
      page.getByText('An error occurred during authentication. Please try again later.'),
    ).toBeVisible()
  })

  test('a visitor can give a name when several people share a code', async ({ site, page }) => {
    const { code } = await makeClient(site, { label: 'Crew' })
    await page.goto('/client-zone')
    await page.getByText('Sharing a code?').click()
    await page.getByLabel('Your name').fill('Aino')
    await enter(page, code)
    await expect(page.getByText('Aino: Signed in with “Crew”')).toBeVisible()
  })

  test('shows what is typed when asked to', async ({ page }) => {
    await page.goto('/client-zone')
    const field = page.getByLabel('Secret code')
    await expect(field).toHaveAttribute('type', 'password')
    await page.getByRole('button', { name: 'Show' }).click()
    await expect(field).toHaveAttribute('type', 'text')
  })

  test('is asked to wait after too many wrong codes', async ({ site, page, complaints }) => {
    complaints.expect(/429/)
    for (let count = 0; count < 8; count += 1) {
      await site.post('/api/authenticate-client', { secretCode: `GUESS-${count}` })
    }
    await page.goto('/client-zone')
    await enter(page, 'GUESS-9')
    await expect(page.getByText(/^Too many wrong codes. Please wait \d+ seconds?/)).toBeVisible()
  })

  test('works without scripts, both ways', async ({ site, browser }) => {
    const { code } = await makeClient(site)
    const context: BrowserContext = await browser.newContext({
      baseURL: site.url,
      javaScriptEnabled: false,
    })
    const page = await context.newPage()
    await page.goto('/client-zone')
    await enter(page, 'wrong code')
    await expect(page.getByText('Invalid secret code. Please try again.')).toBeVisible()
    await enter(page, code)
    await page.waitForURL('/panel/nordic-rally-team#result')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Nordic Rally Team')
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.goto('/panel')
    await expect(page.getByLabel('Secret code')).toBeVisible()
    await context.close()
  })
})
