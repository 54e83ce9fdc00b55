import { Router } from 'express'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createApp } from '#server/app.ts'
import { dist } from '#server/build.ts'
import { collect } from '#server/collect.ts'
import type { Feature, Platform } from '#server/feature.ts'
import { listen } from '#server/http/listen.ts'
import { requestContextOf } from '#server/http/request-context.ts'
import { mailMessage } from '#server/mail/layout.ts'
import { html } from '#server/markup.ts'
import { builtRenderer } from '#server/renderer.ts'
import { searchPage } from '#server/search-source.ts'
import { endpoint, json } from '#shared/endpoint.ts'
import { makeClient, signIn } from '../support/clients.ts'
import { settled } from '../support/enquiry.ts'
import { eventually } from '../support/eventually.ts'
import { runOn } from '../support/in-process-cli.ts'
import { mailFiles } from '../support/mail-files.ts'
import { send } from '../support/send.ts'
import { noPages, startSite } from '../support/site.ts'

const hour = 3_600_000

const getPressure = endpoint({
  method: 'GET',
  path: '/api/tyres/:name',
  input: z.object({ name: z.string() }),
  output: json<{ name: string; bar: number }>(),
})

/** A session of no client. */
const nobody = { id: 1, clientId: 0, panel: '', codeId: 0, who: null, expiresAt: Infinity }

/** A small noun of its own: tyres, with everything that a feature can give. */
function tyreFeature({ clock, commit, jobs, mails, log, siteVersion }: Platform): Feature & {
  order(email: string): Promise<void>
  /** What the server asked of it as a whole. */
  readonly asked: string[]
} {
  const orders = new Map<string, string>()
  const asked: string[] = []
  return {
    name: 'tyres',
    routes({ endpoints, limit, mount, plain, openPath, early, refreshFiles }) {
      const many = { name: 'tyres', seconds: 60, most: 3 }
      endpoints.serve(getPressure, { limit: many, access: 'public' }, ({ name }) => ({
        name,
        bar: 1.9,
      }))
      openPath(/^\/tyres\/hook$/)
      early.take('/t/', (request, response) => {
        if (request.url !== '/t/soft') return false
        const line = early.log(request)
        response.writeHead(302, { ...early.headers, Location: '/tyres' }).end()
        line.write(302)
        return true
      })
      const router = Router()
      router.post('/tyres/hook', (_request, response) => void response.json({ taken: true }))
      router.post('/api/tyres/file', async (_request, response) => {
        await refreshFiles('tyres')
        response.json({ made: true })
      })
      router.get('/tyres/who', (_request, response) => {
        const { session } = requestContextOf(response)
        response.json({ name: session?.name ?? null })
      })
      // The same limit as that of the endpoint.
      router.get('/tyres/bar', limit(many), (_, response) => void response.json({ bar: 2 }))
      router.get('/tyres', limit({ name: 'tyre-page', seconds: 60, most: 60 }), (_, response) =>
        plain.reply(response, 200, { title: 'Tyres', body: html`<h1>Tyres</h1>` }),
      )
      mount(router)
    },
    mailTemplates: {
      tyresOrdered: {
        render: ({ data }, brand) => ({
          to: { name: '', address: (JSON.parse(data!) as { email: string }).email },
          message: mailMessage(brand, { subject: 'Your tyres', headline: 'They are on their way' }),
        }),
      },
    },
    jobs: [
      {
        kind: 'tyres.deliver',
        about: 'tells somebody that tyres come',
        run: ({ key }) =>
          commit((tx) => void mails.enqueue(tx, 'tyresOrdered', { key, data: { email: key } })),
      },
      {
        kind: 'tyres.rotate',
        about: 'turns the tyres',
        recurs: { daily: '09:00' },
        run: () => log.info('tyres turned'),
      },
    ],
    panelBlocks: [
      {
        kind: 'tyres',
        title: 'Tyres',
        by: 'system',
        load: ({ client }) => ({ view: 'text', paragraphs: [`Two sets for ${client.name}`] }),
      },
    ],
    pages: ['/tyres'],
    searchPages: () => [
      searchPage('/tyres/wall', { title: 'The tyre wall', intro: 'Old ones.', tags: '' }),
    ],
    overview: [
      {
        heading: 'Tyres',
        read: () => [{ text: 'Soft', path: '/tyres/soft', about: 'for [two]\nlaps' }],
      },
      { heading: 'Tyres', read: () => Promise.reject(new Error('punctured')) },
    ],
    sitemap: () => [{ path: '/tyres/soft', modifiedAt: null, image: null }],
    search: [
      {
        kind: 'tyres',
        label: 'Tyres',
        read: async () => [
          {
            id: 'soft',
            title: 'Hypersoft compound',
            tags: 'rubber',
            intro: 'Grip for two laps.',
            path: '/tyres',
          },
        ],
      },
    ],
    files: [
      {
        name: 'tyres',
        paths: ['/tyres.txt'],
        version: () => String(siteVersion.version()),
        make: async () =>
          new Map([
            [
              '/tyres.txt',
              {
                type: 'text/plain; charset=utf-8',
                body: `soft\n${'sold\n'.repeat(orders.size)}`,
                cacheControl: 'no-cache',
              },
            ],
          ]),
        fallback: () => new Map(),
      },
    ],
    personalData: [
      {
        name: 'tyre orders',
        policy: [{ what: 'Tyres', data: 'Address', ground: 'Contract', kept: '30 days' }],
        forgottenBy: { job: 'tyres.rotate' },
        find: (email) => (orders.has(email) ? [{ email, at: orders.get(email) }] : []),
        erase: (_tx, email) => ({
          erased: 0,
          kept: { count: orders.has(email) ? 1 : 0, why: 'The law of racing', until: '2030-01-01' },
        }),
      },
    ],
    health: () => ({ tyres: orders.size > 0 ? 'worn' : 'ok' }),
    doctor: [{ check: 'tyres', look: () => ({ state: 'ok', text: 'round' }) }],
    digest: () => [{ count: orders.size, what: 'sets ordered', command: 'pitlane tyres list' }],
    reservedPaths: ['tyres'],
    findSession: ({ fitter }) =>
      typeof fitter === 'string'
        ? { ...nobody, name: fitter, scopes: new Set(['view' as const]) }
        : null,
    origins: { connect: ['https://tyres.example'] },
    asked,
    start: () => void asked.push('start'),
    drain: () => void asked.push('drain'),
    close: () => void asked.push('close'),
    async order(email) {
      orders.set(email, new Date(clock()).toISOString())
      await commit((tx) => jobs.schedule(tx, 'tyres.deliver', email, clock() + hour))
    },
  }
}

/** A site with tyres, and the feature itself. */
async function withTyres(options: Parameters<typeof startSite>[0] = {}) {
  let made: ReturnType<typeof tyreFeature> | null = null
  const site = await startSite({
    ...options,
    features: [(platform) => (made = tyreFeature(platform))],
  })
  return { site, tyres: made!, [Symbol.asyncDispose]: () => site[Symbol.asyncDispose]() }
}

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

test('its file is served with an ETag', async () => {
  await using it = await withTyres()
  const { status, text, headers } = await it.site.get('/tyres.txt')
  expect([status, text]).toEqual([200, 'soft\n'])
  const again = await it.site.get('/tyres.txt', { headers: { 'If-None-Match': headers.etag! } })
  expect(again.status).toBe(304)
})

test('its lines stand in llms.txt, without those that cannot be read', async () => {
  await using it = await withTyres()
  const { text } = await it.site.get('/llms.txt')
  const { url } = it.site
  expect(text).toMatch(/## Tyres\n\n- \[Soft\]\(\S+\): for two laps\n\n?$/)
  expect(text).toContain(`(${url}/tyres/soft)`)
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

test('it replies ahead of the middleware where it wants to, with the common headers', async () => {
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

test('it can say who is signed in, and whom pages may talk to', async () => {
  await using it = await withTyres()
  const { site } = it
  expect((await site.get('/tyres/who')).json).toEqual({ name: null })
  const signedIn = await site.get('/tyres/who', { headers: { Cookie: 'fitter=Aino' } })
  expect(signedIn.json).toEqual({ name: 'Aino' })
  const { headers } = await site.get('/')
  expect(headers['content-security-policy']).toMatch(/connect-src [^;]*https:\/\/tyres\.example/)
})

test('it hears of the start and the end of the server', async () => {
  const it = await withTyres()
  it.site.context.contributions().start()
  expect(it.tyres.asked).toEqual(['start'])
  await it[Symbol.asyncDispose]()
  // Twice, since an end without a server drains, too.
  expect(it.tyres.asked).toEqual(['start', 'drain', 'drain', 'close'])
})

test('a second app in one process works, too', async () => {
  await using it = await withTyres()
  const { listener } = createApp(it.site.context, noPages)
  const listening = await listen(listener, { port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${listening.port}`
  expect((await send(`${url}/api/tyres/hard`)).json).toEqual({ name: 'hard', bar: 1.9 })
  await listening.close(500)
})

test('its job runs when it is due, and its mail goes out', async () => {
  await using it = await withTyres()
  const { site } = it
  await it.tyres.order('aino@example.com')
  expect(await runOn(site, 'jobs', 'list')).toMatch(/tyres\.deliver +aino@example\.com +waiting/)
  site.clock.advance(hour)
  const sent = () => mailFiles(site.dataDir).filter(({ file }) => file.endsWith('tyresOrdered.eml'))
  await eventually(() => expect(sent()).toHaveLength(1))
  expect(sent()[0]).toMatchObject({
    subject: 'Your tyres',
    to: 'aino@example.com',
    text: expect.stringContaining('They are on their way'),
  })
  expect(site.logLines().join('')).toContain('tyres turned')
})

test('its page is found among the pages of the site', async () => {
  await using it = await withTyres()
  await eventually(async () => {
    const { json: reply } = await it.site.get('/api/search?q=tyre+wall')
    expect(reply).toMatchObject({ finds: [{ kind: 'pages', path: '/tyres/wall' }] })
  })
})

test('its block stands in panels', async () => {
  await using it = await withTyres()
  const { code } = await makeClient(it.site)
  const cookie = await signIn(it.site, code)
  const { json: reply } = await it.site.get('/api/panel', { headers: { Cookie: cookie } })
  expect(reply).toMatchObject({
    panel: { blocks: [{ kind: 'tyres', paragraphs: ['Two sets for Nordic Rally Team'] }] },
  })
})

test('its pages are in the sitemap and in the search, under a word of their own', async () => {
  await using it = await withTyres()
  const { url } = it.site
  const sitemap = (await it.site.get('/sitemap.xml')).text
  expect(sitemap).toContain(`<loc>${url}/tyres</loc>`)
  expect(sitemap).toContain(`<loc>${url}/tyres/soft</loc>`)
  const found = await eventually(async () => {
    const { json: reply } = await it.site.get('/api/search?q=hypersoft')
    expect(reply).toMatchObject({ total: 1 })
    return reply
  })
  expect(found).toMatchObject({
    kinds: [{ kind: 'tyres', label: 'Tyres', count: 1 }],
    finds: [{ kind: 'tyres', label: 'Tyres', path: '/tyres' }],
  })
  expect((await it.site.get('/api/search?q=hypersoft&type=tyres')).json).toMatchObject({
    type: 'tyres',
    typeLabel: 'Tyres',
    finds: [{ path: '/tyres' }],
  })
})

test('its personal data stands in the policy, and is found and kept by the command line', async () => {
  await using it = await withTyres()
  await it.tyres.order('aino@example.com')
  expect((await it.site.get('/api/privacy/retention')).json).toMatchObject({
    rows: expect.arrayContaining([
      { what: 'Tyres', data: 'Address', ground: 'Contract', kept: '30 days' },
    ]),
  })
  expect(await runOn(it.site, 'privacy', 'retention')).toMatch(/tyre orders +Tyres +30 days +job t/)
  const exported = JSON.parse(await runOn(it.site, 'privacy', 'export', 'aino@example.com'))
  expect(exported.places).toContainEqual({
    place: 'tyre orders',
    records: [{ email: 'aino@example.com', at: '2026-11-20T12:00:00.000Z' }],
    note: null,
  })
  const erased = await runOn(it.site, 'privacy', 'erase', 'aino@example.com', '--yes')
  expect(erased).toMatch(/tyre orders +0 +1 +The law of racing, until 2030-01-01/)
})

test('health, doctor and digest tell of it', async () => {
  await using it = await withTyres()
  const { site } = it
  expect((await site.get('/api/health')).json).toMatchObject({ status: 'ok', tyres: 'ok' })
  await it.tyres.order('aino@example.com')
  expect((await site.get('/api/health')).json).toMatchObject({ status: 'degraded', tyres: 'worn' })
  expect(await runOn(site, 'doctor')).toContain('ok   tyres: round')
  site.clock.advance(24 * hour)
  await eventually(() => {
    const digest = mailFiles(site.dataDir).find(({ file }) => file.endsWith('staffDigest.eml'))
    expect(digest?.text).toMatch(/1 sets ordered +pitlane tyres list/)
  })
  await settled(site)
})

test('what it shows is made anew when it says that it has changed', async () => {
  await using it = await withTyres()
  const { siteVersion, commit } = it.site.context
  const before = siteVersion.version()
  await commit((tx) => siteVersion.changed(tx))
  await eventually(() => expect(siteVersion.version()).toBe(before + 1))
  await expect(
    commit((tx) => {
      siteVersion.changed(tx)
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  expect(siteVersion.version()).toBe(before + 1)
})

test('another process hears of the change', async () => {
  await using it = await withTyres()
  await using other = await startSite({ dataDir: it.site.dataDir })
  const before = it.site.context.siteVersion.version()
  let told = 0
  it.site.context.siteVersion.onChange(() => (told += 1))
  await other.context.commit((tx) => other.context.siteVersion.changed(tx))
  await eventually(() => expect(it.site.context.siteVersion.version()).toBe(before + 1))
  expect(told).toBe(1)
})

test('its words are not given away as short links', async () => {
  await using it = await withTyres()
  const {
    commit,
    features: { links },
  } = it.site.context
  const create = (code: string) =>
    commit((tx) => links.create(tx, { target: 'https://example.com', code }, 'staff'))
  await expect(create('Tyres')).rejects.toMatchObject({
    errors: { code: 'This word is reserved. Please choose another one.' },
  })
  await expect(create('wheels')).resolves.toMatchObject({ code: 'wheels' })
})

test('the pages of search and privacy show what it says', async () => {
  await using it = await withTyres({ renderer: await builtRenderer(dist) })
  const { site } = it
  await eventually(async () => {
    const { text } = await site.get('/search?q=hypersoft')
    expect([text.includes('type=tyres">Tyres'), text.includes('href="/tyres"')]).toEqual([
      true,
      true,
    ])
  })
  const { text } = await site.get('/privacy-policy')
  const cells = Array.from(text.matchAll(/<(t[hd])[^>]*>(.*?)<\/\1>/g), ([, , cell = '']) =>
    cell.replaceAll(/<[^>]+>/g, ''),
  )
  expect(cells).toEqual(expect.arrayContaining(['Tyres', 'Answering your message', '30 days']))
})

test('two features never share a name of anything', () => {
  const job = { kind: 'a.b', about: '', run() {} }
  expect(() => collect([{ name: 'a' }, { name: 'a' }])).toThrow('Two of the features are named a.')
  expect(() =>
    collect([
      { name: 'a', jobs: [job] },
      { name: 'b', jobs: [job] },
    ]),
  ).toThrow('Two of the jobs are named a.b.')
  expect(collect([{ name: 'a', reservedPaths: ['x'] }, { name: 'b' }]).reservedPaths).toEqual(
    new Set(['x']),
  )
})
