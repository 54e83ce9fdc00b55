import { describe, expect, test } from 'vitest'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { contentFiles } from '../../support/content-files.ts'
import { contentSite } from '../../support/content-site.ts'
import { startDirectus } from '../../support/directus-double.ts'
import { startSite } from '../../support/site.ts'

const services = [
  'photography',
  'videography',
  'public-relations',
  'social-media',
  'graphic-design',
  'website-design',
  'media-outsourcing',
].map((slug) => `/services/${slug}`)

const others = [
  '/news',
  '/portfolio',
  '/about-us',
  '/privacy-policy',
  '/terms-of-service',
  '/cookie-policy',
  '/accessibility',
  '/test',
]

const title = (text: string) => text.match(/<title>([^<]*)<\/title>/)?.[1]

test('every page is there, each with a title of its own and one heading', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  const titles = new Set<string | undefined>()
  for (const path of [...services, ...others]) {
    const { status, text } = await site.get(path)
    expect([path, status]).toEqual([path, 200])
    expect([path, text.match(/<h1/g)]).toEqual([path, ['<h1']])
    titles.add(title(text))
  }
  expect(titles.size).toBe(services.length + others.length)
})

describe('with a dead content service', () => {
  for (const fault of ['refusing', 'hanging'] as const) {
    test(`every page stands: ${fault}`, async () => {
      await using directus = await startDirectus()
      if (fault === 'refusing') await directus.down()
      else directus.fail({ kind: 'hang' })
      await using site = await startSite({
        env: { CONTENT_URL: directus.url },
        renderer: await builtRenderer(dist),
        contentTiming: { timeout: 300, failingTimeout: 100 },
      })
      for (const path of [...services, ...others]) {
        const { status, text } = await site.get(path)
        expect([path, status]).toEqual([path, 200])
        expect(text).toContain('</html>')
      }
      const { text } = await site.get('/services/photography')
      expect(text).toContain('What you get')
      expect(text).toContain('Rights in plain English')
      expect((await site.get('/news')).text).toContain('We couldn’t load the news')
    })
  }
})

test('an unknown service is 404', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  for (const path of ['/services/x', '/services/Photography', '/services/photography/x']) {
    expect([path, (await site.get(path)).status]).toEqual([path, 404])
  }
})

test('old addresses lead to the present ones', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  const ways = [
    ['/services', 302, '/#services'],
    ['/contact', 302, '/#contact'],
    ['/services?utm_source=fair', 302, '/?utm_source=fair#services'],
    [
      '/contact?utm_source=card&utm_medium=print',
      302,
      '/?utm_source=card&utm_medium=print#contact',
    ],
    ['/l?utm_source=card', 302, '/?utm_source=card'],
    ['/news/', 308, '/news'],
    ['/services/photography/?a=1', 308, '/services/photography?a=1'],
    ['//example.com/', 308, '/example.com'],
  ] as const
  for (const [path, status, to] of ways) {
    const reply = await site.get(path)
    expect([path, reply.status, reply.headers.location]).toEqual([path, status, to])
  }
})

test('a service page has its price, its deliverables and its neighbours', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  const { text } = await site.get('/services/videography')
  expect(text).toContain(
    '<strong>€1,450</strong> <small>+ VAT (€1,819.75\u00a0incl.\u00a0VAT) per\u00a0day</small>',
  )
  expect(text).toContain('href="/services/photography"')
  expect(text).toContain('href="/services/public-relations"')
  expect(text).toContain('data-contact="Videography"')
  expect(text).toMatch(/<details[^>]*name="faq"/)
})

test('the legal pages name the controller, the authorities and what is stored', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  await site.get('/')
  const privacy = (await site.get('/privacy-policy')).text
  for (const fact of [
    '9284716-0',
    '24 months',
    'Data Protection Ombudsman',
    'double opt-in',
    'Favourites and comments',
    'for 30 days',
  ]) {
    expect(privacy).toContain(fact)
  }
  const terms = (await site.get('/terms-of-service')).text
  expect(terms).toContain('Consumer Disputes Board')
  expect(terms).not.toContain('ec.europa.eu/consumers/odr')
  const cookies = (await site.get('/cookie-policy')).text
  for (const name of ['X-CSRF-TOKEN', 'cookiePreferences', 'theme']) expect(cookies).toContain(name)
  expect((await site.get('/test')).headers['x-robots-tag']).toContain('noindex')
})

test('a service leads to its page however its address is written, and is in the sitemap with it', async () => {
  await using site = await contentSite({
    'services.json': [
      { id: 1, title: 'Photography', url: 'Photography' },
      { id: 2, title: 'Drone films', url: '/services/Drone Films/' },
      { id: 3, title: 'Crew', url: 'https://example.com/crew' },
      { id: 4, title: 'Ääni', url: 'ääni' },
      { id: 5, title: 'Nowhere', url: '/' },
    ],
  })
  const own = ['/services/photography', '/services/drone-films', '/services/aani']
  const home = (await site.get('/')).text
  expect([...home.matchAll(/href="([^"]*)"[^>]*aria-label="Explore/g)].map(([, to]) => to)).toEqual(
    [...own.slice(0, 2), 'https://example.com/crew', own[2]],
  )
  const sitemap = (await site.get('/sitemap.xml')).text
  const overview = (await site.get('/llms.txt')).text
  for (const path of own) {
    expect([path, (await site.get(path)).status]).toEqual([path, 200])
    expect(sitemap).toContain(`<loc>${site.url}${path}</loc>`)
    expect(overview).toContain(`(${site.url}${path})`)
  }
  // What leads elsewhere has no page here, and is nobody's neighbour.
  expect((await site.get('/services/https-example-com-crew')).status).toBe(404)
  const { text } = await site.get(own[1]!)
  expect(text).toContain(`href="${own[0]}"`)
  expect(text).toContain(`href="${own[2]}"`)
  expect(text).not.toContain('services/https')
})

test('of two services with one page the first is shown, and both that lead to one page elsewhere', async () => {
  const elsewhere = 'https://example.com/crew'
  await using site = await contentSite({
    'services.json': [
      { id: 1, title: 'Photography', url: 'photography' },
      { id: 2, title: 'Photos again', url: '/services/photography' },
      { id: 3, title: 'Drone crew', url: elsewhere },
      { id: 4, title: 'Night crew', url: elsewhere },
    ],
  })
  const { json } = await site.get('/items/services')
  const titles = (json!.data as { title: string }[]).map(({ title: name }) => name)
  expect(titles).toEqual(['Photography', 'Drone crew', 'Night crew'])
})

test('a question stands on the page of its service, any other on the about page', async () => {
  using files = contentFiles({
    'services.json': [{ id: 1, title: 'Photography', url: 'photography' }],
    'faq.json': [
      { id: 1, question: 'Do you travel?', answer: '<p>Everywhere.</p>' },
      { id: 2, question: 'How many pictures?', answer: '<p>Many.</p>', service: 'photography' },
      { id: 3, question: 'Music?', answer: '<p>Licensed.</p>', service: '/services/videography' },
      { id: 4, question: 'Do you bake?', answer: '<p>No.</p>', service: 'cakes' },
    ],
  })
  await using site = await startSite({
    env: { CONTENT_DIR: files.dir },
    renderer: await builtRenderer(dist),
  })
  const shown = async (path: string) =>
    [...(await site.get(path)).text.matchAll(/<div id="(question-\w+)"/g)].map(([, id]) => id)
  expect(await shown('/about-us')).toEqual(['question-1', 'question-4'])
  expect(await shown('/services/photography')).toEqual(['question-2'])
  expect(await shown('/services/videography')).toEqual(['question-3'])
  expect((await site.get('/about-us')).text).toContain('"@type":"FAQPage"')
})
