import { expect, test } from 'vitest'
import type { PortfolioPage } from '#shared/portfolio.ts'
import { contentSite } from '../../support/content-site.ts'

const project = (id: number, more: Record<string, unknown> = {}) => ({
  id,
  slug: `project-${id}`,
  title: `Project ${id}`,
  discipline: 'Rally',
  service: 'photography',
  year: 2026,
  sort: id,
  ...more,
})

const projects = [
  project(1),
  project(2, { discipline: 'Jäärata', year: 2025 }),
  project(3, { service: '/services/videography', year: 2025 }),
]

function portfolioSite(portfolio: unknown[] = projects, files: Record<string, unknown> = {}) {
  const services = [
    { id: 1, title: 'Photography', url: 'photography' },
    { id: 2, title: 'Film', url: '/services/videography' },
  ]
  return contentSite({ 'portfolio.json': portfolio, 'services.json': services, ...files })
}

const shown = (json: unknown) => (json as PortfolioPage).projects.map(({ slug }) => slug)

test('filters stand in the address and combine', async () => {
  await using site = await portfolioSite()
  const list = async (query: string) => shown((await site.get(`/api/portfolio${query}`)).json)
  expect(await list('')).toEqual(['project-1', 'project-2', 'project-3'])
  expect(await list('?discipline=jaarata')).toEqual(['project-2'])
  expect(await list('?year=2025&service=videography')).toEqual(['project-3'])
  const { json } = await site.get('/api/portfolio?year=2025')
  expect((json as PortfolioPage).filters[1]).toEqual({
    name: 'service',
    label: 'Service',
    chosen: null,
    choices: [
      { value: 'photography', label: 'Photography', count: 1 },
      { value: 'videography', label: 'Film', count: 1 },
    ],
  })
})

test('a series is a filter, too, and a choice once several projects are about it', async () => {
  await using site = await portfolioSite([
    project(1, { series: 'Lumi Cup' }),
    project(2, { series: 'Rengasmäki Open' }),
    project(3, { series: 'Lumi Cup' }),
    project(4),
  ])
  const choicesOf = (json: unknown) =>
    (json as PortfolioPage).filters.find(({ name }) => name === 'series')!.choices
  const lumi = { value: 'lumi-cup', label: 'Lumi Cup', count: 2 }
  const open = await site.get('/api/portfolio?series=lumi-cup')
  expect([shown(open.json), choicesOf(open.json)]).toEqual([['project-1', 'project-3'], [lumi]])
  const alone = await site.get('/api/portfolio?series=rengasmaki-open')
  expect(shown(alone.json)).toEqual(['project-2'])
  expect(choicesOf(alone.json)).toEqual([
    lumi,
    { value: 'rengasmaki-open', label: 'Rengasmäki Open', count: 1 },
  ])
  const page = await site.get('/portfolio?series=lumi-cup')
  expect(page.text).toContain('Project 3')
  expect(page.text).not.toContain('>Project 2<')
  expect(page.text).toContain('canonical" href="' + site.url + '/portfolio"')
  expect((await site.get('/portfolio?series=tennis')).status).toBe(404)
})

test('a former slug leads to the present one for good, unless another project has it now', async () => {
  await using site = await portfolioSite([
    project(1, { old_slugs: ['former', 'project-2'] }),
    project(2),
  ])
  const ofCase = await site.get('/portfolio/former')
  expect([ofCase.status, ofCase.headers.location]).toEqual([301, '/portfolio/project-1'])
  const campaign = await site.get('/portfolio/former?utm_source=x&utm_medium=social')
  expect(campaign.headers.location).toBe('/portfolio/project-1?utm_source=x&utm_medium=social')
  const view = await site.get('/portfolio?project=former&year=2026')
  expect([view.status, view.headers.location]).toEqual([
    301,
    '/portfolio?project=project-1&year=2026',
  ])
  expect((await site.get('/portfolio/project-2')).text).toContain('Project 2')
  expect((await site.get('/portfolio/never')).status).toBe(404)
})

test('the server draws what a filter leaves, and says when nothing is left', async () => {
  await using site = await portfolioSite()
  const { text } = await site.get('/portfolio?discipline=rally&year=2026')
  expect(text).toContain('Project 1')
  expect(text).not.toContain('>Project 2<')
  expect(text).toContain('href="/portfolio?discipline=rally&amp;year=2025"')
  const none = await site.get('/portfolio?discipline=jaarata&year=2026')
  expect(none.status).toBe(200)
  expect(none.text).toContain('No projects match')
})

test('an unknown value of a filter, page or project is 404', async () => {
  await using site = await portfolioSite()
  for (const query of [
    'discipline=tennis',
    'year=1',
    'service=',
    'page=2',
    'page=x',
    'project=x',
  ]) {
    expect([query, (await site.get(`/portfolio?${query}`)).status]).toEqual([query, 404])
  }
})

test('the view of a project has an address, a title and a picture of its own', async () => {
  await using site = await portfolioSite([project(1, { image: 'car', description: 'Blue hour' })], {
    'assets/car.jpg': 'pixels',
  })
  const { status, text } = await site.get('/portfolio?project=project-1')
  expect(status).toBe(200)
  expect(text).toMatch(/<title>Project 1 — Portfolio/)
  expect(text).toContain(`<link rel="canonical" href="${site.url}/portfolio/project-1"`)
  expect(text).toMatch(/og:image" content="[^"]*\/assets\/car\?/)
  expect(text).toMatch(/<dialog[^>]* open=""/)
  // The heading of the page stays its only one of the first level, as the view opens and closes.
  expect(text.match(/<h1/g)).toEqual(['<h1'])
  expect(text).toMatch(/<h2[^>]* id="project-title"[^>]*>Project 1<\/h2>/)
})

test('a case has a page with numbers, credits, what the client said, and the next case', async () => {
  const first = project(1, {
    client: 'Nordic Rally Team',
    event: 'Lakeside Rally',
    numbers: [{ value: '61', label: 'clips' }],
    credits: [{ role: 'Director', name: 'Saara <b>Niemelä</b>' }],
    quote: 'Best weekend',
    quote_name: 'Henna',
  })
  await using site = await portfolioSite([first, project(2)])
  const { status, text } = await site.get('/portfolio/project-1')
  expect(status).toBe(200)
  expect(text).toMatch(/<title>Project 1 — Nordic Rally Team/)
  for (const words of ['Lakeside Rally', '61', 'clips', 'Director', 'Best weekend', 'Henna']) {
    expect(text).toContain(words)
  }
  expect(text).toContain('Saara &lt;b&gt;')
  expect(text).toMatch(/href="\/portfolio\/project-2" rel="next"/)
  expect(text).toContain('"@type":"CreativeWork"')
  expect((await site.get('/portfolio/project-2')).text).toMatch(
    /href="\/portfolio\/project-1" rel="next"/,
  )
  expect((await site.get('/portfolio/nothing')).status).toBe(404)
  expect((await site.get('/sitemap.xml')).text).toContain('/portfolio/project-1<')
})

test('two thousand projects come in pages', async () => {
  await using site = await portfolioSite(
    Array.from({ length: 2_000 }, (_, index) => project(index + 1)),
  )
  const { json } = await site.get('/api/portfolio?page=84')
  expect(json).toMatchObject({ total: 2_000, pages: 84 })
  expect(shown(json)).toHaveLength(8)
})

test('a project shows the pictures that are there, and leads with the first of them', async () => {
  await using site = await portfolioSite(
    [project(1, { image: 'gone', images: ['gone too', 'car', 'van'] })],
    { 'assets/car.jpg': 'pixels', 'assets/van.jpg': 'pixels' },
  )
  const { json } = await site.get('/api/portfolio')
  expect((json as PortfolioPage).projects).toMatchObject([{ pictures: 2, picture: { id: 'car' } }])
  expect((await site.get('/portfolio/project-1')).text).not.toMatch(/assets\/gone/)
  expect((await site.get('/api/search?q=project')).text).not.toMatch(/assets\/gone/)
})

test('a film is played from its case, sent by range and told to search engines', async () => {
  const film = {
    video: 'lap',
    video_captions: 'lap-words',
    video_seconds: 61,
    published_at: '2026-05-01T08:00:00Z',
    image: 'still',
  }
  const bytes = Buffer.alloc(5_000, 7)
  await using site = await contentSite({
    'portfolio.json': [project(1, film), project(2, { video: 'https://elsewhere.example/a.mp4' })],
    'assets/lap.mp4': bytes,
    'assets/still.jpg': 'pixels',
    'assets/lap-words.vtt': 'WEBVTT\n\n00:00.000 --> 00:01.000\nLights out.\n',
    'media.json': [{ id: 'still', alt: 'A start light' }],
  })
  const { text } = await site.get('/portfolio/project-1')
  expect(text).toMatch(/<video [^>]*controls/)
  expect(text).not.toMatch(/<video [^>]*autoplay/i)
  expect(text).toContain('<video src="/assets/lap"')
  expect(text).toMatch(/<track [^>]*src="\/assets\/lap-words"/)
  const [, video] = /"video":(\{[^}]*\})/.exec(text)!
  expect(JSON.parse(video!)).toMatchObject({
    '@type': 'VideoObject',
    name: 'Project 1',
    uploadDate: '2026-05-01T08:00:00.000Z',
    duration: 'PT61S',
  })
  // Only our own files play; the policy of pages would refuse others.
  expect((await site.get('/portfolio/project-2')).text).not.toContain('<video')

  const part = await fetch(`${site.url}/assets/lap`, { headers: { range: 'bytes=100-199' } })
  expect(part.status).toBe(206)
  expect(part.headers.get('content-range')).toBe('bytes 100-199/5000')
  expect(part.headers.get('content-type')).toBe('video/mp4')
  expect((await part.arrayBuffer()).byteLength).toBe(100)
  const words = await site.get('/assets/lap-words')
  expect(words.headers['content-type']).toMatch(/^text\/vtt/)
  expect(words.text).toContain('Lights out.')
})
