import { readFileSync } from 'node:fs'
import type { Page } from 'playwright/test'
import type { Site } from '../support/site.ts'
import { signIn } from '../support/staff.ts'
import { expect, test, violations } from './site.ts'

/** Opens the viewer with a code for the server's log. */
async function open(site: Site, page: Page) {
  const staff = await signIn(site, ['ops'])
  const value = /client=([\w-]+)/.exec(staff.headers.Cookie ?? '')![1]!
  await page.context().addCookies([{ name: 'client', value, url: site.url }])
  await page.goto('/debug/logs')
  await expect(page.getByText('Live', { exact: true })).toBeVisible()
  return staff
}

const lines = (page: Page) => page.getByRole('list', { name: 'Log lines' }).getByRole('listitem')

test('without a code the server log is closed', async ({ page }) => {
  await page.goto('/debug/logs')
  await expect(page.getByText('Debug logging is off in production')).toBeVisible()
  await expect(page.getByLabel('Secret code')).toBeVisible()
  await expect(page.getByRole('button', { name: 'This browser' })).toHaveCount(0)
})

test('on a phone the log is in sight, and its filters wait behind a button', async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await open(site, page)
  const log = (await page.getByRole('list', { name: 'Log lines' }).locator('..').boundingBox())!
  expect(log.y).toBeLessThan(450)
  await expect(page.getByLabel('Contains')).toBeVisible()
  await expect(page.getByLabel('Minimum level')).toBeHidden()

  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByLabel('Minimum level').selectOption('error')
  const boxes = ['Regular expression', 'Hide assets'].map(async (name) => {
    const { y } = (await page.getByLabel(name).boundingBox())!
    return y
  })
  const [first, second] = await Promise.all(boxes)
  expect(first).toBe(second)
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Filters' }).click()
  await expect(page.getByLabel('Minimum level')).toBeHidden()
  // What is out of sight still counts, and can be taken off.
  await expect(page.getByText('No lines match.')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filter' }).click()
  await expect(lines(page)).not.toHaveCount(0)
})

test('on a phone the period of a search is seen whole', async ({ page, site }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await open(site, page)
  await page.getByRole('button', { name: 'Filters' }).click()
  for (const name of ['From (Helsinki)', 'To (Helsinki)']) {
    const { width } = (await page.getByLabel(name).boundingBox())!
    expect([name, width > 300]).toEqual([name, true])
  }
})

test('lines come live, are filtered, paused, opened and downloaded', async ({ page, site }) => {
  await open(site, page)
  site.context.log.error({ car: 17, err: new Error('Gearbox') }, 'retired')
  await expect(lines(page).filter({ hasText: 'retired' })).toBeVisible()

  await page.getByLabel('Minimum level').selectOption('error')
  await expect(lines(page)).toHaveCount(1)
  await lines(page).locator('summary').click()
  await expect(page.getByText('"car": 17')).toBeVisible()
  // What is being read must not scroll away.
  await expect(page.getByText(/^Paused/)).toBeVisible()
  await page.getByRole('button', { name: 'Resume' }).click()

  await page.getByLabel('Minimum level').selectOption('trace')
  await page.getByLabel('Contains').fill('RETIRED')
  await expect(lines(page)).toHaveCount(1)
  await expect(page.getByText(/^1 of \d+ lines$/)).toBeVisible()

  const arriving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  const download = await arriving
  expect(download.suggestedFilename()).toMatch(/^log-.*\.ndjson$/)
  const saved = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\n')
  expect(saved.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['retired'])

  await page.getByRole('button', { name: 'Pause' }).click()
  site.context.log.warn('retired again')
  await expect(page.getByText(/^Paused, [1-9]/)).toBeVisible()
  await expect(lines(page)).toHaveCount(1)
  await page.getByRole('button', { name: 'Resume' }).click()
  await expect(lines(page)).toHaveCount(2)
})

test('requests are filtered by status and path, and assets hidden', async ({ page, site }) => {
  await open(site, page)
  await site.get('/assets/none.css')
  await site.get('/news/none')
  await expect(lines(page).filter({ hasText: '/news/none' })).toHaveCount(1)
  await page.getByLabel('Status').selectOption('4xx')
  await page.getByLabel('Path').fill('none')
  await expect(lines(page)).toHaveCount(2)
  await page.getByLabel('Hide assets').check()
  await expect(lines(page)).toHaveCount(1)
  await page.getByLabel('Contains').fill('NEWS')
  await expect(lines(page).locator('mark')).toHaveText('news')
})

test('a regular expression filters, a bad one is explained, and none takes long', async ({
  page,
  site,
}) => {
  await open(site, page)
  site.context.log.info(`lap ${'x'.repeat(60)}`)
  await page.getByLabel('Regular expression').check()
  const field = page.getByRole('searchbox')
  await field.fill('"msg":"lap x+"')
  await expect(lines(page)).toHaveCount(1)
  await field.fill('(x')
  await expect(page.getByText(/^Not a regular expression/)).toBeVisible()
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await field.fill('(x+x+)+y')
  await expect(page.getByText('No lines match.')).toBeVisible()
  await field.fill('lap')
  await expect(lines(page)).toHaveCount(1)
})

test('the newest line stays in view, unless an older one is being read', async ({ page, site }) => {
  await page.setViewportSize({ width: 1280, height: 1100 })
  await open(site, page)
  const write = (word: string) => {
    for (let n = 0; n < 60; n += 1) site.context.log.info(`${word} ${n}`)
  }
  const line = (message: string) =>
    lines(page).filter({ has: page.getByText(message, { exact: true }) })
  write('lap')
  await expect(line('lap 59')).toBeInViewport()
  write('stint')
  await expect(line('stint 59')).toBeInViewport()
  await line('stint 0').scrollIntoViewIfNeeded()
  write('race')
  await expect(line('race 59')).toHaveCount(1)
  await expect(line('stint 0')).toBeInViewport()
})

test('the keyboard opens lines', async ({ page, site }) => {
  await open(site, page)
  for (let n = 0; n < 5; n += 1) site.context.log.info(`lap ${n}`)
  await page.getByLabel('Contains').fill('lap ')
  await expect(lines(page)).toHaveCount(5)
  await lines(page).last().locator('summary').focus()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByText('"msg": "lap 3"')).toBeVisible()
})

test('a lost code closes the viewer', async ({ page, site, complaints }) => {
  complaints.expect(/401/)
  const { codeId } = await open(site, page)
  await site.context.commit((tx) => site.context.features.clients.codes.revoke(tx, codeId))
  await expect(page.getByText(/^You are signed out/)).toBeVisible()
})

test('at most a thousand lines are kept', async ({ page, site }) => {
  await open(site, page)
  for (let n = 0; n < 1300; n += 1) site.context.log.info(`lap ${n}`)
  // A thousand lines filtered by their roles take a busy machine seconds each time. The request that
  // counts the visit may come after them.
  const newest = page.locator('main ol > li').filter({ hasText: 'lap 1299' })
  await expect(newest).toHaveCount(1, { timeout: 40_000 })
  await expect(page.getByText('1000 lines', { exact: true })).toBeVisible()
})

for (const width of [390, 1440]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 900 }, reducedMotion: 'reduce' })

    test('the log viewer has no violation', async ({ page, site }) => {
      await page.goto('/debug/logs')
      expect(await violations(page)).toEqual([])
      await open(site, page)
      for (const level of ['debug', 'warn', 'error'] as const) site.context.log[level](level)
      await expect(lines(page).filter({ hasText: 'warn' }).first()).toBeVisible()
      await lines(page).last().locator('summary').click()
      expect(await violations(page)).toEqual([])
    })
  })
}
