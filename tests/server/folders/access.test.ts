import { expect, test } from 'vitest'
import { cookiesOf, idsOf, person, photo, postForm, share } from '../../support/shared-folder.ts'
import { startSite, type Site } from '../../support/site.ts'

const password = 'Talvi ralli'

/** Every address of a folder that gives something away. */
const addresses = (id: string, file: number) => [
  `/api/folders/${id}`,
  `/s/${id}/files/${file}`,
  `/s/${id}/view/${file}`,
  `/s/${id}/thumb/${file}`,
  `/s/${id}/cover/${file}`,
  `/s/${id}/web/${file}`,
  `/s/${id}/zip`,
]

const statuses = async (site: Site, id: string, file: number, headers = {}) =>
  Promise.all(
    addresses(id, file).map(
      async (path) => (await site.get(path, { headers: { ...person, ...headers } })).status,
    ),
  )

async function enter(site: Site, id: string, word: string, to = `/s/${id}`) {
  return postForm(site, `/s/${id}/password`, { password: word, to })
}

async function locked() {
  const site = await startSite()
  const folder = await share(site, 'winter', { 'a.jpg': await photo() }, { password })
  return { site, folder, file: idsOf(site, folder)['a.jpg']! }
}

test('without the password no address gives anything, with it every one does', async () => {
  const { site, folder, file } = await locked()
  await using _ = site
  expect(await statuses(site, folder.key, file)).toEqual([401, 401, 401, 401, 401, 401, 401])
  const reply = await site.get(`/api/folders/${folder.key}`)
  expect(reply.text).not.toContain('Arctic')

  const entered = await enter(site, folder.key, ` ${password} `)
  expect(entered.status).toBe(303)
  expect(entered.headers.get('location')).toBe(`/s/${folder.key}#result`)
  const [cookie] = entered.headers.getSetCookie()
  expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Lax$/)
  expect(cookie).not.toContain(password)
  const headers = { Cookie: cookiesOf(entered) }
  expect(await statuses(site, folder.key, file, headers)).toEqual([
    200, 200, 200, 200, 200, 200, 200,
  ])
})

test('a wrong password is answered on the page, and a deep link is kept', async () => {
  const { site, folder, file } = await locked()
  await using _ = site
  const to = `/s/${folder.key}/files/${file}`
  const wrong = await enter(site, folder.key, 'nope', to)
  expect(wrong.headers.get('location')).toBe(`${to}?wrong=1#folder-password`)
  expect(wrong.headers.getSetCookie()).toEqual([])
  expect((await enter(site, folder.key, password, to)).headers.get('location')).toBe(`${to}#result`)
  for (const away of [
    'https://evil.example/',
    '//evil.example',
    '/s/other',
    `/s/${folder.key}\\x`,
    `/s/${folder.key}/../../links`,
    `/s/${folder.key}/%2E%2e/x`,
  ]) {
    const entered = await enter(site, folder.key, password, away)
    expect(entered.headers.get('location')).toBe(`/s/${folder.key}#result`)
  }
})

test('a cookie opens one folder, and none after another password', async () => {
  const { site, folder, file } = await locked()
  await using _ = site
  const other = await share(site, 'other', { 'b.jpg': 'x' }, { password })
  const cookie = cookiesOf(await enter(site, folder.key, password))
  const value = cookie.split('=')[1]!
  const otherName = cookiesOf(await enter(site, other.key, password)).split('=')[0]!
  const forged = { Cookie: `${cookie}; ${otherName}=${value}` }
  expect(await statuses(site, other.key, idsOf(site, other)['b.jpg']!, forged)).toContain(401)
  expect((await site.get(`/s/${other.key}/zip`, { headers: forged })).status).toBe(401)

  const { store } = site.context.features.folders
  await site.context.commit((tx) =>
    store.change(tx, folder, { password: 'scrypt.16384.AAAA.AAAA' }),
  )
  const headers = { Cookie: cookie }
  expect(await statuses(site, folder.key, file, headers)).toEqual([
    401, 401, 401, 401, 401, 401, 401,
  ])
})

test('a cookie that was made up opens nothing, whatever it looks like', async () => {
  const { site, folder, file } = await locked()
  await using _ = site
  const [name] = cookiesOf(await enter(site, folder.key, password)).split('=')
  for (const value of [
    'x',
    '..',
    'j:{}',
    'j:["a"]',
    'j:null',
    `${Date.now().toString(36)}.${'A'.repeat(43)}`,
    '%E0%A4%A',
  ]) {
    const headers = {
      Cookie: `${name}=${value}; folder_picker=j:["${'A'.repeat(22)}"]; client=j:{}`,
    }
    expect([value, ...(await statuses(site, folder.key, file, headers))]).toEqual([
      value,
      401,
      401,
      401,
      401,
      401,
      401,
      401,
    ])
  }
})

test('an entered folder password is asked for again after twelve hours', async () => {
  const { site, folder, file } = await locked()
  await using _ = site
  const headers = { Cookie: cookiesOf(await enter(site, folder.key, password)) }
  site.clock.advance(13 * 3_600_000)
  expect((await site.get(`/s/${folder.key}/files/${file}`, { headers })).status).toBe(401)
})

test('expired and revoked folders are gone at every address, and open again when staff say so', async () => {
  const { site, folder, file } = await locked()
  await using _ = site
  const { store } = site.context.features.folders
  const open = await site.context.commit((tx) =>
    store.change(tx, folder, { password: null, expiresAt: site.clock() + 1000 }),
  )
  expect(await statuses(site, folder.key, file)).toEqual([200, 200, 200, 200, 200, 200, 200])
  site.clock.advance(1000)
  expect(await statuses(site, folder.key, file)).toEqual([410, 410, 410, 410, 410, 410, 410])
  const again = await site.context.commit((tx) => store.change(tx, open, { expiresAt: null }))
  expect(await statuses(site, folder.key, file)).toEqual([200, 200, 200, 200, 200, 200, 200])
  await site.context.commit((tx) => store.change(tx, again, { revokedAt: site.clock() }))
  expect(await statuses(site, folder.key, file)).toEqual([410, 410, 410, 410, 410, 410, 410])
})

test('guessed, crooked and unknown ids all look the same', async () => {
  const { site, folder, file } = await locked()
  await using _ = site
  const guesses = [
    'AAAAAAAAAAAAAAAAAAAAAA',
    folder.key.toLowerCase() === folder.key ? 'x' : folder.key.toLowerCase(),
    folder.key.slice(0, 21),
    '..%2f..%2fwinter',
    'a%00b',
    'x'.repeat(70),
    'x'.repeat(5000),
    '%F0%9F%8F%81',
    "1'%20OR%20'1'='1",
  ]
  const answers = await Promise.all(
    guesses.map(async (id) => (await site.get(`/s/${id}/files/${file}`)).text),
  )
  expect(new Set(answers)).toEqual(new Set(["We couldn't find the page you're looking for.\n"]))
  for (const id of guesses) {
    expect(await statuses(site, id, file)).toEqual([404, 404, 404, 404, 404, 404, 404])
  }
  expect((await enter(site, 'AAAAAAAAAAAAAAAAAAAAAA', password)).status).not.toBe(303)
})

test('files of other folders and paths in place of ids are not found', async () => {
  await using site = await startSite()
  const mine = await share(site, 'mine', { 'a.jpg': 'a' })
  const other = await share(site, 'other', { 'b.jpg': 'b' })
  const foreign = idsOf(site, other)['b.jpg']!
  for (const file of [
    foreign,
    'a.jpg',
    '..%2fother%2fb.jpg',
    '0',
    '-1',
    '1e3',
    '9'.repeat(30),
    '%00',
  ]) {
    const reply = await site.get(`/s/${mine.key}/files/${file}`)
    expect([file, reply.status]).toEqual([file, 404])
    expect(reply.text).not.toContain(site.dataDir)
  }
})

test('an alias works whatever its case, and only together with a password', async () => {
  const { site, folder, file } = await locked()
  await using _ = site
  const { store } = site.context.features.folders
  const named = await site.context.commit((tx) =>
    store.change(tx, folder, { alias: 'kaamos-2026' }),
  )
  expect(await statuses(site, 'Kaamos-2026', file)).toEqual([401, 401, 401, 401, 401, 401, 401])
  const headers = { Cookie: cookiesOf(await enter(site, 'kaamos-2026', password)) }
  expect((await site.get(`/s/kaamos-2026/files/${file}`, { headers })).status).toBe(200)
  expect(headers.Cookie).not.toContain(folder.key)
  await expect(
    site.context.commit((tx) => store.change(tx, named, { password: null })),
  ).rejects.toThrow(/needs a password/)
})

test('too many passwords from one address are refused for a while, others may go on', async () => {
  const { site, folder } = await locked()
  await using _ = site
  const attempt = (from: string) =>
    site.post(`/s/${folder.key}/password`, 'password=nope', {
      from,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    })
  let last = await attempt('127.0.0.2')
  for (let count = 0; count < 30; count += 1) last = await attempt('127.0.0.2')
  expect(last.status).toBe(429)
  expect(Number(last.headers['retry-after'])).toBeGreaterThan(0)
  expect((await attempt('127.0.0.3')).status).toBe(303)
})

test('replies of a folder are no-store, noindex and no-referrer', async () => {
  await using site = await startSite()
  const folder = await share(site, 'rally', { 'a.jpg': await photo() })
  for (const path of addresses(folder.key, idsOf(site, folder)['a.jpg']!).slice(1)) {
    const { headers } = await site.get(path)
    expect(headers['cache-control']).toBe('private, no-store')
    expect(headers['x-robots-tag']).toContain('noindex')
    expect(headers['referrer-policy']).toBe('no-referrer')
    expect(headers['x-content-type-options']).toBe('nosniff')
  }
  expect((await site.get('/sitemap.xml')).text).not.toContain('/s/')
  expect(site.logLines().join('')).not.toContain(folder.key)
})

test('a form from another site is refused', async () => {
  const { site, folder } = await locked()
  await using _ = site
  const foreign = await postForm(
    site,
    `/s/${folder.key}/password`,
    { password },
    { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' },
  )
  expect(foreign.status).toBe(403)
})

test('a program learns by a code, too, why a gallery isn’t shown', async () => {
  const { site, folder } = await locked()
  await using _ = site
  const codeOf = async (path: string) => {
    const { status, json } = await site.get(path)
    return [status, (json as { code?: string }).code]
  }
  expect(await codeOf(`/api/folders/${folder.key}`)).toEqual([401, 'signed-out'])
  expect(await codeOf('/api/folders/nope')).toEqual([404, 'missing'])
  const { store } = site.context.features.folders
  await site.context.commit((tx) => store.change(tx, folder, { revokedAt: site.clock() }))
  expect(await codeOf(`/api/folders/${folder.key}`)).toEqual([410, 'gone'])
})
