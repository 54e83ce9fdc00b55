import { expect, test } from 'vitest'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { startSite, type Site } from '../../support/site.ts'
import { signIn } from '../../support/staff.ts'

const browser =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36'
const asPerson = { headers: { 'User-Agent': browser } }
const password = 'Kaamos ralli'
const target = 'https://example.com/press-kit?token=abc'

const create = (site: Site, more: object = {}) =>
  site.context.features.links.acts.create({ target, code: 'press', password, ...more }, 'test')

const enter = (site: Site, word: string, code = 'press') =>
  site.post(`/l/${code}`, new URLSearchParams({ password: word }).toString(), {
    headers: {
      'User-Agent': browser,
      'Content-Type': 'application/x-www-form-urlencoded',
      'X-CSRF-TOKEN': '',
    },
  })

const clicks = async ({ context }: Site) => {
  await context.features.links.flush()
  const { human, bot } = context.features.links.find('press')!
  return { human, bot }
}

test('a link with a password leads on after it alone, and counts then', async () => {
  await using site = await startSite()
  const link = await create(site)
  expect(link.password).toMatch(/^scrypt\./)
  const page = await site.get('/l/press', asPerson)
  expect([page.status, page.headers.location]).toEqual([200, undefined])
  expect(await clicks(site)).toEqual({ human: 0, bot: 0 })

  const wrong = await enter(site, 'kaamos ralli')
  expect([wrong.status, wrong.headers.location]).toEqual([303, '/l/press?wrong=1'])
  const right = await enter(site, password)
  expect(right.status).toBe(200)
  expect(right.headers).toMatchObject({
    refresh: `0; url=${target}`,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
  })
  expect(right.headers['set-cookie']).toBeUndefined()
  expect(right.text).toContain('example.com')
  expect(await clicks(site)).toEqual({ human: 1, bot: 0 })
  // Nothing is remembered: the next one asks again.
  expect((await site.get('/l/press', asPerson)).headers.location).toBeUndefined()
})

test('a link that forwards the query does so behind its password, too, also after a wrong one', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  await create(site, { forwardQuery: true })
  const actionOf = ({ text }: { text: string }) =>
    /<form[^>]* action="([^"]*)"/
      .exec(text.slice(text.indexOf('<main')))![1]!
      .replaceAll('&amp;', '&')
  const action = actionOf(await site.get('/l/press?utm_source=poster&x=%C3%A4', asPerson))
  const wrong = await enter(site, 'another word', action.slice('/l/'.length))
  const again = actionOf(await site.get(wrong.headers.location!, asPerson))
  const right = await enter(site, password, again.slice('/l/'.length))
  expect(right.headers.refresh).toBe(`0; url=${target}&utm_source=poster&x=%C3%A4`)
  expect(actionOf(await site.get('/l/press+', asPerson))).toBe('/l/press')
  await site.context.features.links.acts.edit('press', { forwardQuery: false }, 'test')
  expect((await enter(site, password, 'press?x=1')).headers.refresh).toBe(`0; url=${target}`)
})

test('what anyone may know of it names no target', async () => {
  await using site = await startSite()
  await create(site)
  expect((await site.get('/api/links/press/view')).json).toEqual({ state: 'locked', code: 'press' })
  const { headers } = await signIn(site, ['links'])
  const { json, text } = await site.get('/api/links', { headers })
  expect(json).toMatchObject({ links: [{ hasPassword: true }] })
  expect(text).not.toContain('scrypt')
})

test('a maximum of clicks and an end hold for it, too', async () => {
  await using site = await startSite()
  await create(site, { maxClicks: 1, expiresAt: site.clock() + 86_400_000 })
  expect((await enter(site, password)).headers.refresh).toBeDefined()
  expect((await enter(site, password)).headers.refresh).toBeUndefined()
  const { acts } = site.context.features.links
  await acts.edit('press', { maxClicks: null }, 'test')
  expect((await enter(site, password)).headers.refresh).toBeDefined()
  await acts.setDisabled(['press'], true, 'test')
  expect((await enter(site, password)).headers.refresh).toBeUndefined()
  expect(await clicks(site)).toEqual({ human: 2, bot: 0 })
})

test('a link without a password takes no form, and an unknown one leads nowhere', async () => {
  await using site = await startSite()
  await create(site, { password: null })
  expect((await enter(site, password)).headers.refresh).toBeUndefined()
  expect((await enter(site, password, 'nothing')).headers.refresh).toBeUndefined()
  expect((await site.get('/l/press', asPerson)).status).toBe(302)
})

test('a password can be changed and taken away, and is refused when it is short', async () => {
  await using site = await startSite()
  const { acts } = site.context.features.links
  await create(site)
  await acts.edit('press', { password: 'another one' }, 'test')
  expect((await enter(site, password)).status).toBe(303)
  expect((await enter(site, 'another one')).status).toBe(200)
  await expect(acts.edit('press', { password: 'short' }, 'test')).rejects.toMatchObject({
    errors: { password: 'Use 8 to 200 characters for the password.' },
  })
  // What is said of something else leaves it.
  await acts.edit('press', { note: 'Poster' }, 'test')
  expect((await enter(site, 'another one')).status).toBe(200)
  await acts.edit('press', { password: null }, 'test')
  expect((await site.get('/l/press', asPerson)).status).toBe(302)
})
