import { expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { listen } from '#server/http/connections/listen.ts'
import { eventually } from '../support/eventually.ts'
import { send } from '../support/send.ts'
import { noPages, startSite, type Site } from '../support/site.ts'
import { withTyres } from '../support/tyres.ts'

test('its routes answer, with a limit of their own and a door for others', async () => {
  await using it = await withTyres()
  const { site } = it
  expect((await site.get('/api/tyres/soft')).json).toEqual({ name: 'soft', bar: 1.9 })
  await site.get('/api/tyres/soft')
  await site.get('/api/tyres/soft')
  expect((await site.get('/api/tyres/soft')).status).toBe(429)
  expect((await site.get('/tyres')).text).toContain('<h1>Tyres</h1>')
  const foreign = {
    headers: { Origin: 'https://elsewhere.example', 'Sec-Fetch-Site': 'cross-site' },
  }
  expect((await site.post('/tyres/hook', {}, foreign)).json).toEqual({ taken: true })
  expect((await site.post('/api/save-contact-form', {}, foreign)).status).toBe(403)
})

test('its page stands at the foot of plain pages, also of those that tell of a failure', async () => {
  await using it = await withTyres()
  const footer = async (path: string) =>
    /<footer>.*<\/footer>/s.exec(
      (await it.site.get(path, { headers: { Accept: 'text/html' } })).text,
    )?.[0]
  for (const path of ['/tyres', '/tyres/burst']) {
    expect(await footer(path)).toMatch(/Privacy policy.*href="\/tyres\/policy">Tyre policy</s)
  }
})

test('crawlers are asked to stay away from what it keeps from them', async () => {
  await using it = await withTyres()
  const disallowed = async (site: Site) =>
    Array.from(
      (await site.get('/robots.txt')).text.matchAll(/^Disallow: (.*)$/gm),
      ([, path]) => path,
    )
  expect(await disallowed(it.site)).toContain('/tyres/depot/')
  await using plain = await startSite()
  expect(await disallowed(plain)).toEqual([
    '/api/',
    '/debug/',
    '/desk',
    '/panel/',
    '/s/',
    '/shop/back-in-stock/',
    '/shop/checkout',
    '/subscription/',
  ])
})

test('the log keeps its secrets out of paths, texts and fields', async () => {
  await using it = await withTyres()
  const { site } = it
  await site.get('/tyres/set/softest-of-all')
  site.context.log.warn({ Pressure: '1.9 bar' }, 'no tyres at /tyres/set/softest-of-all')
  await eventually(() => expect(site.logLines().join('')).toContain('"path":"/tyres/set/soft…"'))
  const lines = site.logLines().join('')
  expect(lines).toContain('"Pressure":"[redacted]","msg":"no tyres at /tyres/set/soft…"')
  expect(lines).not.toMatch(/softest|1\.9 bar/)
})

test('its file is served with an ETag', async () => {
  await using it = await withTyres()
  const { status, text, headers } = await it.site.get('/tyres.txt')
  expect([status, text]).toEqual([200, 'soft\n'])
  const again = await it.site.get('/tyres.txt', { headers: { 'If-None-Match': headers.etag! } })
  expect(again.status).toBe(304)
})

test('its file is made anew when it says so', async () => {
  await using it = await withTyres()
  const { site } = it
  expect((await site.get('/tyres.txt')).text).toBe('soft\n')
  await it.tyres.order('aino@example.com')
  expect((await site.get('/tyres.txt')).text).toBe('soft\n')
  expect((await site.post('/api/tyres/file', {})).json).toEqual({ made: true })
  expect((await site.get('/tyres.txt')).text).toBe('soft\nsold\n')
})

test('an early route replies ahead of the middleware with the common headers', async () => {
  await using it = await withTyres()
  const { site } = it
  const taken = await site.get('/t/soft')
  expect([taken.status, taken.headers.location]).toEqual([302, '/tyres'])
  expect(taken.headers['x-content-type-options']).toBe('nosniff')
  expect(site.logLines().join('')).toContain('"path":"/t/soft","status":302')
  // What it does not take is a page like any other, here the bare one of this site.
  expect((await site.get('/t/hard')).text).toContain('A page')
})

test('routes that name the same limit share it', async () => {
  await using it = await withTyres()
  const { site } = it
  await site.get('/api/tyres/soft')
  expect((await site.get('/tyres/bar')).status).toBe(200)
  await site.get('/api/tyres/soft')
  expect((await site.get('/tyres/bar')).status).toBe(429)
  expect((await site.get('/api/tyres/soft', { from: '127.0.0.9' })).status).toBe(200)
})

test('a feature can find sessions, and adds origins to the policy', async () => {
  await using it = await withTyres()
  const { site } = it
  expect((await site.get('/tyres/who')).json).toEqual({ name: null })
  const signedIn = await site.get('/tyres/who', { headers: { Cookie: 'fitter=Aino' } })
  expect(signedIn.json).toEqual({ name: 'Aino' })
  const { headers } = await site.get('/')
  expect(headers['content-security-policy']).toMatch(/connect-src [^;]*https:\/\/tyres\.example/)
})

test('a second app in one process works, too', async () => {
  await using it = await withTyres()
  const { listener } = await createApp(it.site.context, noPages)
  const listening = await listen(listener, { port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${listening.port}`
  expect((await send(`${url}/api/tyres/hard`)).json).toEqual({ name: 'hard', bar: 1.9 })
  await listening.close(500)
})
