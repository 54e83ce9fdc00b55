import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { APIRequestContext, Page } from 'playwright/test'
import { runCli } from '../support/run-cli.ts'
import { inPanel, leaving, noise, photo, share, writeFiles } from '../support/shared-folder.ts'
import type { Site } from '../support/site.ts'
import { signIn as addStaff } from '../support/staff.ts'
import { unzip } from '../support/unzip.ts'
import { expect, test } from './site.ts'

/** Runs a command of the staff. @returns what it printed as JSON */
async function cli<Answer = unknown>(site: Site, ...args: string[]): Promise<Answer> {
  const { code, out, err } = await runCli([...args, '--json'], site)
  expect([args.join(' '), code, err]).toEqual([args.join(' '), 0, ''])
  return JSON.parse(out) as Answer
}

/** A client with its first code, as staff make them. @returns the code */
async function admit(site: Site, name: string, panel: string): Promise<string> {
  await cli(site, 'clients', 'add', name, '--panel', panel)
  return (await cli<{ code: string }>(site, 'codes', 'create', panel)).code
}

async function signIn(page: Page, code: string) {
  await page.goto('/client-zone')
  await page.getByLabel('Secret code').fill(code)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('/panel/*')
}

/** Waits for a download and reads it. */
async function download(page: Page, start: () => Promise<unknown>) {
  const waiting = page.waitForEvent('download')
  await start()
  const got = await waiting
  return { name: got.suggestedFilename(), bytes: readFileSync(await got.path()) }
}

type Asked = { path: string; status: number; text: string }

/** Asks for everything that belongs to the first client, as pages, files, API and forms do. */
async function tryAll(
  request: APIRequestContext,
  gets: readonly string[],
  { key, file }: { key: string; file: number },
): Promise<Asked[]> {
  const csrf = 'feedfacecafebeef0123456789abcdef'
  const own = { 'Sec-Fetch-Site': 'same-origin' }
  const asked: Asked[] = []
  const ask = async (path: string, reply: Awaited<ReturnType<APIRequestContext['get']>>) => {
    asked.push({ path, status: reply.status(), text: await reply.text() })
  }
  for (const path of gets) {
    await ask(path, await request.get(path))
    await ask(`${path} as a page`, await request.get(path, { headers: { Accept: 'text/html' } }))
    await ask(`${path} in part`, await request.get(path, { headers: { Range: 'bytes=0-9' } }))
  }
  const marks = `/api/folders/${key}/marks`
  const cookies = (await request.storageState()).cookies.map(
    ({ name, value }) => `${name}=${value}`,
  )
  await ask(
    marks,
    await request.post(marks, {
      data: { file, heart: true },
      headers: {
        ...own,
        'X-CSRF-TOKEN': csrf,
        Cookie: [...cookies, `X-CSRF-TOKEN=${csrf}`].join('; '),
      },
    }),
  )
  for (const path of [`/s/${key}/picks`, `/s/${key}/zip`]) {
    const form = { heart: String(file), files: String(file), submit: '1', name: 'Rival' }
    await ask(path, await request.post(path, { form, headers: own, maxRedirects: 0 }))
  }
  return asked
}

test('from the code to the ZIP: one client gets everything that is his, another nothing of it', async ({
  site,
  page,
  browser,
}) => {
  // A dozen commands and a hundred addresses.
  test.slow()

  // Staff: two clients, a folder, a panel.
  const given: Record<string, Buffer | string> = {
    'PIT_0001.jpg': await photo(600, 400),
    'PIT_0002.jpg': await photo(400, 600),
    'day 2/Käyttöoikeudet.pdf': 'The rights of Nordic',
    'day 2/raw.bin': noise(300_000),
  }
  writeFiles(site, 'arctic', given)
  const plan = join(site.dataDir, 'Plan of Nordic.txt')
  writeFileSync(plan, 'The plan of Nordic')
  const code = await admit(site, 'Nordic Rally Team', 'nordic')
  const rivals = await admit(site, 'Rival Racing', 'rival')
  const titled = ['--title', 'Arctic Rally']
  const { folder: key } = await cli<{ folder: string }>(site, 'folders', 'add', 'arctic', ...titled)
  await cli(site, 'panels', 'add', 'nordic', 'text', '--text', 'The season of Nordic')
  await cli(site, 'panels', 'add', 'nordic', 'folders', '--folder', key)
  await cli(site, 'panels', 'add', 'nordic', 'files', '--file', plan)
  const film = join(site.dataDir, 'Opener of Nordic.mp4')
  writeFileSync(film, noise(5000))
  await cli(site, 'panels', 'add', 'nordic', 'videos', '--file', film)

  // The client: signs in, sees the panel, opens the folder.
  await signIn(page, code)
  await expect(page.getByText('The season of Nordic')).toBeVisible()
  const planLink = page.getByRole('link', { name: 'Plan of Nordic.txt' })
  const planAddress = (await planLink.getAttribute('href'))!
  const filmAddress = (await page.locator('video').getAttribute('src'))!
  const saved = await download(page, () => planLink.click())
  expect([saved.name, String(saved.bytes)]).toEqual(['Plan of Nordic.txt', 'The plan of Nordic'])
  await page.getByRole('link', { name: /^Arctic Rally/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Arctic Rally' })).toBeVisible()

  // Marks picks, and downloads everything and a selection.
  await page.getByRole('button', { name: 'Favourite PIT_0002.jpg' }).click()
  await expect(page.getByText('1 favourite', { exact: true })).toBeVisible()
  const all = await download(page, () => page.getByRole('link', { name: /^Download all/ }).click())
  expect(all.name).toBe('Arctic Rally.zip')
  const unpacked = await unzip(all.bytes)
  expect([...unpacked.keys()].toSorted()).toEqual(Object.keys(given).toSorted())
  for (const [name, bytes] of Object.entries(given)) {
    expect([name, unpacked.get(name)!.equals(await leaving(bytes))]).toEqual([name, true])
  }
  await page.getByRole('checkbox', { name: 'Select PIT_0001.jpg' }).check({ force: true })
  const zips: string[] = []
  page.on('request', (sent) => {
    const { pathname } = new URL(sent.url())
    if (/\/zip\/./.test(pathname)) zips.push(pathname)
  })
  const some = await download(page, () =>
    page.getByRole('button', { name: 'Download selection' }).click(),
  )
  expect((await unzip(some.bytes)).get('PIT_0001.jpg')).toEqual(
    await leaving(given['PIT_0001.jpg']!),
  )
  await page.getByLabel('Your name').fill('Aino Virtanen')
  await page.getByRole('button', { name: 'Send favourites' }).click()
  await expect(page.getByRole('heading', { name: 'Favourites sent' })).toBeVisible()

  // Staff: what was picked, and what happened.
  const picked = await runCli(['folders', 'favourites', key, '--format', 'txt', '--names'], site)
  expect(picked.out).toBe('PIT_0002\n')
  const { activity } = await cli<{ activity: { detail: string }[] }>(
    site,
    'clients',
    'show',
    'nordic',
  )
  expect(activity.map(({ detail }) => detail)).toEqual([
    'Sent favourites from Arctic Rally',
    'Downloaded Arctic Rally (1).zip from Arctic Rally',
    'Downloaded Arctic Rally.zip from Arctic Rally',
    'Downloaded Plan of Nordic.txt',
    'Signed in',
  ])

  // Every address that the first client had, for the second one and for no one.
  const listed = await page.request.get(`/api/folders/${key}`)
  const { files } = (await listed.json()) as { files: { id: number }[] }
  const below = files.flatMap(({ id }) =>
    ['files', 'view', 'thumb', 'web'].map((way) => `/s/${key}/${way}/${id}`),
  )
  expect(zips.length).toBeGreaterThan(0)
  const gets = [
    ...below,
    ...zips,
    `/s/${key}`,
    `/s/${key}?show=favourites`,
    `/s/${key}?open=${files[0]!.id}`,
    `/s/${key}/zip`,
    `/api/folders/${key}`,
    planAddress,
    planAddress.replace('nordic', 'rival'),
    filmAddress,
    '/panel/nordic',
    '/api/panel?panel=nordic',
  ]
  const target = { key, file: files[0]!.id }
  const other = await browser.newContext({ baseURL: site.url })
  const rival = await other.newPage()
  await signIn(rival, rivals)
  const nobody = await browser.newContext({ baseURL: site.url })
  for (const context of [other, nobody]) {
    for (const { path, status, text } of await tryAll(context.request, gets, target)) {
      const isForm = /^\/panel\/nordic(?! *\/files)(?: |$)|^\/api\/panel/.test(path)
      expect([path, isForm ? status === 200 : status >= 401 && status <= 404]).toEqual([path, true])
      expect([path, text.match(/Nordic|PIT_|Arctic|JFIF|WEBP/)]).toEqual([path, null])
    }
  }
  await rival.goto(`/s/${key}`)
  await expect(rival.getByLabel('Secret code')).toBeVisible()

  // The address alone leads there by the code of its client.
  const fresh = await nobody.newPage()
  await fresh.goto(`/s/${key}?open=${files[0]!.id}`)
  await fresh.getByLabel('Secret code').fill(code)
  await fresh.getByRole('button', { name: 'Sign in' }).click()
  await expect(fresh.getByRole('dialog', { name: 'Files of Arctic Rally' })).toBeVisible()
  await fresh.goto(`/s/${key}?show=favourites`)
  await expect(fresh.getByRole('link', { name: 'PIT_0002.jpg' })).toBeVisible()

  // Logged out, the first client is no one, too.
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.waitForURL('/')
  await page.goto('/panel/nordic')
  await expect(page.getByLabel('Secret code')).toBeVisible()
  expect((await page.request.get(`/s/${key}/zip`)).status()).toBe(401)
  await Promise.all([other.close(), nobody.close()])
})

test('a code for looking shows pictures and posters, and offers nothing that it does not open', async ({
  site,
  page,
}) => {
  const files = {
    'a.jpg': await photo(600, 400),
    'lap.mp4': noise(2000),
    'lap.poster.jpg': await photo(600, 400),
    'rights.pdf': 'p',
    'radio.mp3': noise(1000),
  }
  const folder = await share(site, 'looking', files)
  const guest = await addStaff(site, ['view'], { name: 'Guest' })
  await inPanel(site, guest.clientId, folder)
  await signIn(page, guest.code)
  await page.goto(`/s/${folder.key}`)
  await expect(page.getByText('rights.pdf')).toBeVisible()
  await expect(page.getByRole('link', { name: /rights\.pdf|radio\.mp3/ })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Listen' })).toHaveCount(0)
  await expect(page.getByRole('link', { name: /^Download/ })).toHaveCount(0)
  await page.getByRole('link', { name: /lap\.mp4/ }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('img', { name: 'lap.mp4' })).toBeVisible()
  await expect(dialog.locator('video')).toHaveCount(0)
  await expect(dialog.getByRole('link')).toHaveCount(0)
})
