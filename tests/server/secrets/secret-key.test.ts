import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeClient, signIn, tryCode } from '../../support/clients.ts'
import { answered, enquiry } from '../../support/enquiry.ts'
import { cookiesOf, photo, postForm, share } from '../../support/shared-folder.ts'
import { startSite, type Site } from '../../support/site.ts'

const [first, second] = ['1'.repeat(32), '2'.repeat(32)]

let dataDir: string
beforeEach(() => void (dataDir = mkdtempSync(join(tmpdir(), 'pitlane-keys-'))))
afterEach(() => rmSync(dataDir, { recursive: true }))

const start = (env: Record<string, string>) => startSite({ env, dataDir, sending: false })

const signedIn = async (site: Site, Cookie: string) =>
  (await site.get('/api/session', { headers: { Cookie } })).json?.signedIn

test.each([
  ['SECRET_KEY', { SECRET_KEY: first }, { SECRET_KEY: second, SECRET_KEY_OLD: first }],
  ['the key that was made at the first start', {}, { SECRET_KEY: second }],
])('after a change of %s codes, sessions, links, proofs and picks go on', async (_, old, next) => {
  const before = await start(old)
  const { code, codeId } = await makeClient(before)
  const Cookie = await signIn(before, code)
  const proof = answered(before.context)
  const {
    features: {
      newsletter: { confirmationTokens, subscribers },
    },
  } = before.context
  const asked = await before.context.commit((tx) =>
    subscribers.ask(
      tx,
      { email: 'aino@example.com', name: '' },
      { network: 'n', policy: '1', source: null },
    ),
  )
  const link = confirmationTokens.issue(asked!.subscriber, before.clock())
  const folder = await share(
    before,
    'winter',
    { 'a.jpg': await photo() },
    { password: 'kaamos-2026' },
  )
  const at = `/s/${folder.key}`
  const entered = cookiesOf(await postForm(before, `${at}/password`, { password: 'kaamos-2026' }))
  const [file] = before.context.features.folders.store.files(folder.id)
  const picked = await postForm(
    before,
    `${at}/picks`,
    { heart: String(file!.id) },
    { Cookie: entered },
  )
  const visitor = { headers: { Cookie: `${entered}; ${cookiesOf(picked)}` } }
  await before[Symbol.asyncDispose]()

  await using after = await start(next)
  expect(await signedIn(after, Cookie)).toBe(true)
  const saved = await after.post('/api/save-contact-form', enquiry(), {
    headers: { 'X-Form-Proof': proof },
  })
  expect(saved.status).toBe(201)
  expect(after.context.features.contact.tickets.find('abc123')?.proven).toBe(true)
  expect((await after.get(`/subscription/confirm/${link}`)).status).toBe(200)
  const { json } = await after.get(`/api/folders/${folder.key}`, visitor)
  expect(json).toMatchObject({ state: 'open', picks: { hearts: 1 } })
  await expect(
    after.context.commit((tx) =>
      after.context.features.clients.codes.add(
        tx,
        after.context.features.clients.codes.find(codeId)!.clientId,
        { label: '', scopes: [], expiresAt: null, maxUses: null },
        code,
      ),
    ),
  ).rejects.toThrow('in use')
  expect((await tryCode(after, code)).status).toBe(200)
})

test('a code used since the change of keys is hashed by the new key, and the old key opens nothing', async () => {
  const before = await start({ SECRET_KEY: first })
  const used = await makeClient(before)
  const unused = await makeClient(before, { panel: 'other', name: 'Other' })
  const Cookie = await signIn(before, unused.code)
  await before[Symbol.asyncDispose]()
  const between = await start({ SECRET_KEY: second, SECRET_KEY_OLD: `${first}, ${'0'.repeat(32)}` })
  expect((await tryCode(between, used.code)).status).toBe(200)
  await between[Symbol.asyncDispose]()
  await using after = await start({ SECRET_KEY: second })
  expect((await tryCode(after, used.code)).status).toBe(200)
  expect((await tryCode(after, unused.code)).status).toBe(401)
  expect(await signedIn(after, Cookie)).toBe(false)
})

test('over https every cookie of the server is bound to this very host', async () => {
  await using site = await start({ SITE_URL: 'https://www.pitlane.example' })
  const { code } = await makeClient(site, { scopes: ['view', 'select'] })
  const { headers } = await tryCode(site, code)
  const files = { 'a.jpg': await photo() }
  const folder = await share(site, 'winter', files, { password: 'kaamos-2026' })
  const at = `/s/${folder.key}`
  const entered = await postForm(site, `${at}/password`, { password: 'kaamos-2026' })
  const [file] = site.context.features.folders.store.files(folder.id)
  const picked = await postForm(
    site,
    `${at}/picks`,
    { heart: String(file!.id) },
    { Cookie: cookiesOf(entered) },
  )
  const cookies = [
    ...(headers['set-cookie'] ?? []),
    ...entered.headers.getSetCookie(),
    ...picked.headers.getSetCookie(),
  ]
  expect(cookies).toHaveLength(3)
  for (const cookie of cookies) {
    expect(cookie).toMatch(/^__Host-[\w-]+=[^;]+;.*Path=\/;.*HttpOnly; Secure/)
    expect(cookie).not.toMatch(/Domain=/i)
  }
})
