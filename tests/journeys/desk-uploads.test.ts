import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { uploadLimits } from '#shared/folders/folder-numbers.ts'
import { noise, photo, share } from '../support/shared-folder.ts'
import type { Site } from '../support/site.ts'
import { signIn } from '../support/staff.ts'
import { expect, test, violations } from './site.ts'

/** Someone at the desk with a folder, and a card with files. */
async function prepare(site: Site, page: Page) {
  const folder = await share(site, 'rally', { 'PIT_0.jpg': await photo(900, 600) })
  const { headers } = await signIn(site, ['desk'], { name: 'Noora' })
  const value = /client=([\w-]+)/.exec(headers.Cookie ?? '')![1]!
  await page.context().addCookies([{ name: 'client', value, url: site.url }])
  const card = mkdtempSync(join(tmpdir(), 'card-'))
  const put = (name: string, bytes: Buffer) => {
    const path = join(card, name)
    writeFileSync(path, bytes)
    return path
  }
  const files = [
    put('PIT_1.jpg', await photo(900, 600)),
    put('PIT_2.jpg', await photo(600, 900)),
    put('renamed.jpg', noise(5000)),
  ]
  return {
    folder,
    files,
    put,
    path: `/desk/folders/${folder.key}`,
    [Symbol.dispose]: () => rmSync(card, { recursive: true, force: true }),
  }
}

const sideways = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

for (const javaScriptEnabled of [true, false]) {
  test.describe(`at 390 px ${javaScriptEnabled ? 'with' : 'without'} scripts`, () => {
    test.use({ viewport: { width: 390, height: 844 }, javaScriptEnabled })

    test('staff put photos into a folder and see what was not taken', async ({
      page,
      site,
      complaints,
    }) => {
      complaints.expect(/status of 400/)
      using desk = await prepare(site, page)
      await page.goto(desk.path)
      const region = page.getByRole('region', { name: 'Add photos and files' })
      await region.getByLabel('Photos, films, sound and documents').setInputFiles(desk.files)
      await region.getByLabel('Section (optional)').fill('Shakedown')
      await region.getByRole('button', { name: 'Upload' }).click()
      if (javaScriptEnabled) {
        await expect(region.getByRole('status')).toHaveText('2 of 3 uploaded, 1 failed')
      } else await expect(page).toHaveURL(`${desk.path}#uploads`)
      await expect(region.getByText(/^added to Shakedown\s· .*\s· Noora$/)).toHaveCount(2)
      await expect(
        region.getByText(/^not added: Its content isn’t what the ending \.jpg says\./),
      ).toBeVisible()
      await expect(page.getByText('3 files, ')).toBeVisible()
      expect(await sideways(page)).toBe(0)
      await page.goto(`/s/${desk.folder.key}`)
      await expect(page.getByRole('img', { name: 'PIT_2.jpg' })).toBeVisible()
      await expect(page.getByRole('heading', { name: 'Shakedown' })).toBeVisible()
    })
  })
}

test('an upload that was cut off goes on after a reload, where it ended', async ({
  page,
  site,
  complaints,
}) => {
  test.slow()
  complaints.expect(/ERR_FAILED/)
  using desk = await prepare(site, page)
  const bytes = noise(2 * uploadLimits.maxChunkBytes + 400_000)
  const file = desk.put('report.pdf', Buffer.concat([Buffer.from('%PDF-1.7\n'), bytes]))
  const choose = async () => {
    await page.goto(desk.path)
    await page.getByLabel('Photos, films, sound and documents').setInputFiles(file)
    await page.getByRole('button', { name: 'Upload' }).click()
  }
  // The connection goes after the first piece.
  const offsets: string[] = []
  let isCut = false
  await page.route('**/api/desk/uploads/*', async (route) => {
    const request = route.request()
    if (request.method() === 'PATCH') offsets.push(request.headers()['upload-offset']!)
    if (request.method() === 'PATCH' && offsets.length === 2) isCut = true
    await (isCut ? route.abort() : route.continue())
  })
  await choose()
  await expect.poll(() => isCut).toBe(true)
  isCut = false
  await choose()
  await expect(page.getByText('1 of 1 uploaded')).toBeVisible()
  expect(offsets.map(Number).filter((offset) => offset === 0)).toHaveLength(1)
  await expect(page.getByText(/^added\s· .*\s· Noora$/)).toBeVisible()
})

test('an open gallery offers what is new and moves nothing', async ({ page, site, context }) => {
  using desk = await prepare(site, page)
  await page.goto(desk.path)
  const visitor = await context.browser()!.newPage({ baseURL: site.url })
  await visitor.addInitScript(() => localStorage.setItem('consentGiven', 'true'))
  await visitor.goto(`/s/${desk.folder.key}`)
  const first = visitor.getByRole('img', { name: 'PIT_0.jpg' }).last()
  await expect(first).toBeVisible()
  const before = await first.boundingBox()
  await page.getByLabel('Photos, films, sound and documents').setInputFiles(desk.files.slice(0, 2))
  await page.getByRole('button', { name: 'Upload' }).click()
  await expect(page.getByText('2 of 2 uploaded')).toBeVisible()
  await expect(visitor.getByText('2 new photos')).toBeVisible({ timeout: 40_000 })
  expect(await first.boundingBox()).toEqual(before)
  expect(await violations(visitor)).toEqual([])
  await visitor.getByRole('link', { name: 'Show' }).click()
  await expect(visitor.getByRole('img', { name: 'PIT_2.jpg' })).toBeVisible()
  await expect(visitor.locator('main li img')).toHaveCount(2)
  await expect(visitor.getByText('2 new photos')).toHaveCount(0)
  await visitor.close()
})

test('the desk’s page with uploads is sound', async ({ page, site, complaints }) => {
  complaints.expect(/status of 400/)
  using desk = await prepare(site, page)
  await page.goto(desk.path)
  await page.getByLabel('Photos, films, sound and documents').setInputFiles(desk.files)
  await page.getByRole('button', { name: 'Upload' }).click()
  await expect(page.getByText('2 of 3 uploaded, 1 failed')).toBeVisible()
  expect(await violations(page)).toEqual([])
})

test('an upload that was stopped can begin again, also with files whose turn had not come', async ({
  page,
  site,
  complaints,
}) => {
  complaints.expect(/ERR_FAILED|ERR_ABORTED/)
  using desk = await prepare(site, page)
  const files = Array.from({ length: 5 }, (_, index) =>
    desk.put(`page-${index}.pdf`, Buffer.from(`%PDF-1.7\n${index}`)),
  )
  await page.goto(desk.path)
  let isHeld = true
  const held: (() => void)[] = []
  await page.route('**/api/desk/uploads', async (route) => {
    if (isHeld) await new Promise<void>((resolve) => void held.push(resolve))
    // What was stopped has no one to answer.
    await route.continue().catch(() => {})
  })
  const region = page.getByRole('region', { name: 'Add photos and files' })
  const choose = () => region.getByLabel('Photos, films, sound and documents').setInputFiles(files)
  await choose()
  await region.getByRole('button', { name: 'Upload' }).click()
  await expect.poll(() => held.length).toBe(3)
  await region.getByRole('button', { name: 'Stop' }).click()
  await expect(region.getByRole('status')).toHaveText('0 of 5 uploaded, 5 failed')
  isHeld = false
  for (const release of held) release()
  await choose()
  await region.getByRole('button', { name: 'Upload' }).click()
  await expect(region.getByRole('status')).toHaveText('5 of 5 uploaded')
})
