import { expect, test } from 'vitest'
import { contentFiles } from '../support/content-files.ts'
import { runCli } from '../support/run-cli.ts'
import { startSite } from '../support/site.ts'
import { article, check, dataDir, pixel, service, sound } from '../support/sound-content.ts'

test('the sample content is sound', async () => {
  const { code, out } = await runCli(['content', 'check'], { dataDir: dataDir() })
  expect([code, out]).toEqual([0, 'Content OK.\n'])
})

test('every mistake is named with its file, row and field', async () => {
  using files = sound()
  files.write('services.json', [service, { id: 2, title: 7, url: 'x' }, { ...service, id: 1 }])
  files.write('news.json', [
    article(1, { image: 'missing', content: { $file: 'news/gone.html' } }),
    article(4, { slug: 'RSS.xml' }),
    article(2, { slug: 'article-1', image: 'plain', status: 'draft', published_at: 'soon' }),
    article(3, {
      content:
        '<a href="/nowhere">a</a><a href="/news/article-1">b</a><a href="javascript:x">c</a><a href="page">d</a><img src="/assets/plain">',
    }),
  ])
  files.write('assets/plain.jpg', pixel)
  files.write('portfolio.json', [{ id: 1, slug: 'p', title: 'P', service: 'sailing' }])
  const { code, findings } = await check(files)
  expect(code).toBe(1)
  const said = findings.map((each) => Object.values(each).join(' | '))
  for (const expected of [
    /services\.json \| 2 \| title \| Not a text/,
    /services\.json \| 1 \| id \| duplicate "1"/,
    /services\.json \| 1 \| url \| duplicate/,
    /news\.json \| 1 \| image \| file not found: assets\/missing/,
    /news\.json \| 1 \| content \| file not found: news\/gone\.html/,
    /news\.json \| 2 \| slug \| duplicate "article-1"/,
    /news\.json \| 4 \| slug \| This word is reserved/,
    /news\.json \| 2 \| published_at/,
    /news\.json \| 2 \| image \| image plain has no alt text/,
    /news\.json \| 3 \| content \| broken link: \/nowhere/,
    /news\.json \| 3 \| content \| scheme not allowed: javascript:x/,
    /news\.json \| 3 \| content \| page should begin with one slash/,
    /news\.json \| 3 \| content \| image \/assets\/plain has no alt text/,
    /portfolio\.json \| 1 \| service \| unknown service "sailing"/,
  ]) {
    expect(
      said.some((line) => expected.test(line)),
      String(expected),
    ).toBe(true)
  }
  expect(said.some((line) => line.includes('/news/article-1'))).toBe(false)
})

test('content may link to every page that has one address and is no tool', async () => {
  using files = sound()
  const linked = (...addresses: string[]) =>
    addresses.map((address) => `<a href="${address}">a</a>`).join('')
  files.write('news.json', [
    article(1, { content: linked('/shop/delivery', '/shop/withdraw', '/calendar.ics', '/news') }),
    article(2, { content: linked('/desk', '/shop/products', '/portfolio/gone') }),
    // The catalogue is in the database, and so are series and short links.
    article(3, { content: linked('/shop/products/print', '/calendar/kuura-ice.ics', '/l/abc') }),
    article(4, { content: linked('/portfolio/night-stage', '/news/%zz', '/\\\\[') }),
  ])
  const portfolio = [{ id: 1, slug: 'night-stage', title: 'Night stage', image: 'car' }]
  files.write('portfolio.json', portfolio)
  const { findings } = await check(files)
  expect(findings.map(({ problem }) => problem)).toEqual([
    'broken link: /desk',
    'broken link: /shop/products',
    'broken link: /portfolio/gone',
    'not a valid address: /news/%zz',
    'not a valid address: /\\\\[',
  ])
})

test('texts of the hero that phones cut are a warning', async () => {
  using files = sound()
  files.write('section_hero.json', [
    { id: 1, title: 'x'.repeat(40), subtitle: 'y'.repeat(100), Status: 'published' },
    { id: 2, title: 'x'.repeat(41), subtitle: 'y'.repeat(120), Status: 'draft' },
  ])
  const { code, findings } = await check(files)
  expect(code).toBe(0)
  expect(findings).toEqual([
    {
      level: 'warning',
      file: 'section_hero.json',
      row: '2',
      field: 'title',
      problem: 'has 41 characters; phones show the first 40',
    },
    expect.objectContaining({ field: 'subtitle', problem: expect.stringContaining('120') }),
  ])
})

test('a picture by whose name no page can show it is missing, and its name is what is wrong', async () => {
  using files = sound()
  files.write('assets/my van.jpg', pixel)
  files.write('news.json', [article(1, { image: 'my van' })])
  const { code, findings } = await check(files)
  expect(code).toBe(1)
  expect(findings).toMatchObject([
    { file: 'news.json', row: '1', problem: 'file not found: assets/my van.*' },
    { file: 'assets/my van.jpg', problem: expect.stringContaining('file of this name') },
  ])
})

test('a film and its captions are files that need no alt text, and are named when they are missing', async () => {
  using files = sound()
  files.write('assets/lap.mp4', Buffer.from('film'))
  files.write('portfolio.json', [
    {
      id: 1,
      slug: 'p',
      title: 'P',
      video: 'lap',
      video_captions: 'lap-words',
      video_poster: 'car',
    },
  ])
  const { findings } = await check(files)
  expect(findings).toMatchObject([
    { field: 'video_captions', problem: 'file not found: assets/lap-words.*' },
  ])
})

test('a file that is no JSON is named with the place where it breaks', async () => {
  using files = sound()
  files.write('faq.json', '[\n  {"id": }\n]')
  const { code, findings } = await check(files)
  expect(code).toBe(1)
  expect(findings).toMatchObject([
    { file: 'faq.json', problem: expect.stringContaining('line 2, column 10') },
  ])
})

test('a sitemap that was built from a terminal is the one that the site goes on with', async () => {
  await using site = await startSite()
  site.clock.advance(Date.now() - site.clock())
  const { out } = await runCli(['sitemap', 'build', '--json'], {
    dataDir: site.dataDir,
    env: { SITE_URL: site.url },
  })
  const { generatedAt, urls } = JSON.parse(out) as { generatedAt: string; urls: number }
  const trigger = await site.get('/functions/generate-sitemap')
  expect(trigger.json).toEqual({ success: true, generatedAt, urls, cached: true })
})

test('a preview link is made only for an article that there is', async () => {
  using files = contentFiles({ 'news.json': [article(1, { status: 'draft' })] })
  const state = {
    dataDir: dataDir(),
    env: { CONTENT_DIR: files.dir, SITE_URL: 'https://www.example.com' },
  }
  const { out } = await runCli(['content', 'preview', 'article-1'], state)
  expect(out).toMatch(/^https:\/\/www\.example\.com\/news\/article-1\?preview=\S+\n$/)
  expect((await runCli(['content', 'preview', 'article-2'], state)).code).toBe(1)
})
