import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { contentFiles, type ContentFiles } from '../support/content-files.ts'
import { startDirectus } from '../support/directus-double.ts'
import { runCli } from '../support/run-cli.ts'
import { startSite } from '../support/site.ts'

const service = { id: 1, title: 'Photography', url: 'photography', image: 'car' }
const article = (id: number, more: object = {}) => ({
  id,
  slug: `article-${id}`,
  title: `Article ${id}`,
  published_at: '2026-01-02T08:00:00Z',
  ...more,
})
const media = [{ id: 'car', alt: 'A car' }]

const sound = () =>
  contentFiles({
    'services.json': [service],
    'news.json': [article(1, { image: 'car', content: { $file: 'news/a.html' } })],
    'news/a.html': '<p><a href="/services/photography">x</a><img src="/assets/car"></p>',
    'media.json': media,
    'assets/car.jpg': Buffer.from('picture'),
  })

const dataDir = () => mkdtempSync(join(tmpdir(), 'pitlane-cli-'))

async function check(files: ContentFiles) {
  const { code, out } = await runCli(['content', 'check', '--json'], {
    dataDir: dataDir(),
    env: { CONTENT_DIR: files.dir },
  })
  return { code, findings: JSON.parse(out) as { file: string; row: string; problem: string }[] }
}

test('the sample content is sound', async () => {
  const { code, out } = await runCli(['content', 'check'], { dataDir: dataDir() })
  expect([code, out]).toEqual([0, 'The content is sound.\n'])
})

test('every mistake is named with its file, row and field', async () => {
  using files = sound()
  files.write('services.json', [service, { id: 2, title: 7, url: 'x' }, { ...service, id: 1 }])
  files.write('news.json', [
    article(1, { image: 'missing', content: { $file: 'news/gone.html' } }),
    article(2, { slug: 'article-1', image: 'plain', status: 'draft', published_at: 'soon' }),
    article(3, {
      content:
        '<a href="/nowhere">a</a><a href="/news/article-1">b</a><a href="javascript:x">c</a><a href="page">d</a><img src="/assets/plain">',
    }),
  ])
  files.write('assets/plain.jpg', Buffer.from('picture'))
  files.write('portfolio.json', [{ id: 1, slug: 'p', title: 'P', service: 'sailing' }])
  const { code, findings } = await check(files)
  expect(code).toBe(1)
  const said = findings.map((each) => Object.values(each).join(' | '))
  for (const expected of [
    /services\.json \| 2 \| title/,
    /services\.json \| 1 \| id \| "1" is there twice/,
    /services\.json \| 1 \| url \| .*there twice/,
    /news\.json \| 1 \| image \| there is no file assets\/missing/,
    /news\.json \| 1 \| content \| there is no file news\/gone\.html/,
    /news\.json \| 2 \| slug \| "article-1" is there twice/,
    /news\.json \| 2 \| published_at/,
    /news\.json \| 2 \| image \| the picture plain has no alternative text/,
    /news\.json \| 3 \| content \| the link \/nowhere leads nowhere/,
    /news\.json \| 3 \| content \| the scheme of javascript:x is not allowed/,
    /news\.json \| 3 \| content \| page should begin with one slash/,
    /news\.json \| 3 \| content \| the picture \/assets\/plain has no alternative text/,
    /portfolio\.json \| 1 \| service \| there is no service "sailing"/,
  ]) {
    expect(
      said.some((line) => expected.test(line)),
      String(expected),
    ).toBe(true)
  }
  expect(said.some((line) => line.includes('/news/article-1'))).toBe(false)
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

test('a file that is no JSON is named with the place where it breaks', async () => {
  using files = sound()
  files.write('faq.json', '[\n  {"id": }\n]')
  const { code, findings } = await check(files)
  expect(code).toBe(1)
  expect(findings).toMatchObject([
    { file: 'faq.json', problem: expect.stringContaining('line 2, column 10') },
  ])
})

test('an import copies what differs, keeps what was there, and says so before on a dry run', async () => {
  using files = sound()
  using target = contentFiles({ 'news.json': [article(9)] })
  const state = { dataDir: dataDir(), env: { CONTENT_DIR: target.dir } }
  const dry = await runCli(['content', 'import', files.dir, '--dry-run', '--json'], state)
  expect(JSON.parse(dry.out)).toContainEqual({ file: 'news.json', change: 'changed' })
  expect(existsSync(join(target.dir, 'services.json'))).toBe(false)

  const done = await runCli(['content', 'import', files.dir], state)
  expect([done.code, done.err]).toEqual([0, ''])
  expect(readFileSync(join(target.dir, 'assets/car.jpg'), 'utf8')).toBe('picture')
  expect(readFileSync(join(target.dir, 'news.json'), 'utf8')).toContain('article-1')
  const [backup] = readdirSync(join(state.dataDir, 'backups'))
  expect(readFileSync(join(state.dataDir, 'backups', backup!, 'news.json'), 'utf8')).toContain(
    'article-9',
  )

  const again = await runCli(['content', 'import', files.dir], state)
  expect(again.out).toBe('Nothing would change.\n')
})

test('an import makes a content directory that is not there yet', async () => {
  using files = sound()
  const state = { dataDir: dataDir(), env: { CONTENT_DIR: join(dataDir(), 'new') } }
  const { code, err } = await runCli(['content', 'import', files.dir], state)
  expect([code, err]).toEqual([0, ''])
  expect(readFileSync(join(state.env.CONTENT_DIR, 'news.json'), 'utf8')).toContain('article-1')
})

test('an import with errors changes nothing', async () => {
  using files = sound()
  files.remove('assets')
  using target = contentFiles({ 'news.json': [article(9)] })
  const { code, err } = await runCli(['content', 'import', files.dir], {
    dataDir: dataDir(),
    env: { CONTENT_DIR: target.dir },
  })
  expect(code).toBe(1)
  expect(err).toContain('error(s) in the content')
  expect(readdirSync(target.dir)).toEqual(['news.json'])
})

test('a mistyped folder is refused, and an export never mixes with other files', async () => {
  using files = sound()
  const state = { dataDir: dataDir(), env: { CONTENT_DIR: files.dir } }
  expect((await runCli(['content', 'import', '/nowhere'], state)).code).toBe(1)
  const to = join(state.dataDir, 'export')
  expect((await runCli(['content', 'export', to], state)).code).toBe(0)
  expect(readFileSync(join(to, 'news/a.html'), 'utf8')).toContain('/assets/car')
  expect((await runCli(['content', 'export', to], state)).err).toContain('is not empty')
})

test('a pull turns a Directus into files that the site can be run from', async () => {
  const uuid = '8f0c2d7a-6f0d-4a52-9b27-0c6a3a5b8d11'
  await using directus = await startDirectus({
    token: 'secret-token',
    collections: {
      services: [{ ...service, image: { id: uuid } }],
      news: [article(1, { status: 'draft', image: uuid, content: '' })],
      media: [{ id: uuid, alt: 'A car' }],
      settings: { id: 1, brand: 'Apex', email: 'hello@apex.example' },
    },
    assets: { [uuid]: { type: 'image/png', bytes: Buffer.from('pixels') } },
  })
  ;(directus.collections.news as Record<string, unknown>[])[0]!.content =
    `<p><img src="${directus.url}/assets/${uuid}" alt="x"></p>`
  using target = contentFiles()
  const { code, out, err } = await runCli(['content', 'pull', directus.url], {
    dataDir: dataDir(),
    env: { CONTENT_DIR: target.dir, CONTENT_TOKEN: 'secret-token' },
  })
  expect([code, err]).toEqual([0, ''])
  expect(out + err).not.toContain('secret-token')
  const read = (file: string) => readFileSync(join(target.dir, file), 'utf8')
  expect(JSON.parse(read('services.json'))).toMatchObject([{ title: 'Photography', image: uuid }])
  expect(JSON.parse(read('news.json'))).toMatchObject([
    { slug: 'article-1', status: 'draft', content: { $file: 'news/article-1.html' } },
  ])
  expect(read('news/article-1.html')).toContain(`src="/assets/${uuid}"`)
  expect(read(`assets/${uuid}.png`)).toBe('pixels')
  expect((await check(target)).code).toBe(0)
})

const uuid = (last: number) => `8f0c2d7a-6f0d-4a52-9b27-0c6a3a5b8d0${last}`
const png = { type: 'image/png', bytes: Buffer.from('pixels') }

test('a pull takes away what is gone, and keeps a copy of it', async () => {
  await using directus = await startDirectus({
    collections: {
      services: [{ ...service, image: uuid(1) }],
      news: [article(1, { status: 'published', content: '<p>One</p>' })],
      media: [{ id: uuid(1), alt: 'A car' }],
      faq: [],
    },
    assets: { [uuid(1)]: png },
  })
  using target = contentFiles({
    'news.json': [article(1), article(9, { content: { $file: 'news/article-9.html' } })],
    'news/article-9.html': '<p>Nine</p>',
    'faq.json': [{ id: 1, question: 'Q', answer: 'A' }],
    [`assets/${uuid(2)}.png`]: 'old pixels',
    'assets/og-image.jpg': 'not theirs',
    'notes.txt': 'no content',
  })
  const state = { dataDir: dataDir(), env: { CONTENT_DIR: target.dir } }
  const gone = ['assets/' + uuid(2) + '.png', 'faq.json', 'news/article-9.html']
  const dry = await runCli(['content', 'pull', directus.url, '--dry-run', '--json'], state)
  const { changes } = JSON.parse(dry.out) as { changes: { file: string; change: string }[] }
  const removed = changes.filter(({ change }) => change === 'removed').map(({ file }) => file)
  expect(removed.toSorted()).toEqual(gone)
  for (const file of gone) expect(existsSync(join(target.dir, file))).toBe(true)

  const { code, err } = await runCli(['content', 'pull', directus.url], state)
  expect([code, err]).toEqual([0, ''])
  for (const file of gone) expect(existsSync(join(target.dir, file)), file).toBe(false)
  for (const file of ['assets/og-image.jpg', 'notes.txt', 'news/article-1.html']) {
    expect(existsSync(join(target.dir, file)), file).toBe(true)
  }
  const [backup] = readdirSync(join(state.dataDir, 'backups'))
  for (const file of gone) {
    expect(existsSync(join(state.dataDir, 'backups', backup!, file)), file).toBe(true)
  }
})

test('a pull says what was forbidden, and leaves what is there of it', async () => {
  await using directus = await startDirectus({
    collections: {
      services: [{ ...service, image: uuid(1) }],
      media: [{ id: uuid(1), alt: 'A car' }],
    },
  })
  using target = contentFiles({
    'team.json': [{ id: 1, name: 'Aino', photo: uuid(3) }],
    'news.json': [article(1, { content: { $file: 'news/a.html' } })],
    'news/a.html': `<p><img src="/assets/${uuid(2)}" alt="x"></p>`,
    'media.json': [],
    [`assets/${uuid(1)}.png`]: 'pixels',
    [`assets/${uuid(2)}.png`]: 'pixels',
    [`assets/${uuid(3)}.png`]: 'pixels',
  })
  const { out, code } = await runCli(['content', 'pull', directus.url, '--dry-run', '--json'], {
    dataDir: dataDir(),
    env: { CONTENT_DIR: target.dir },
  })
  const { forbidden, changes } = JSON.parse(out) as {
    forbidden: string[]
    changes: { file: string; change: string }[]
  }
  expect(forbidden).toEqual(expect.arrayContaining(['team', 'news', 'faq', uuid(1)]))
  expect(changes.filter(({ change }) => change === 'removed')).toEqual([])
  // The photo of the team has no words; only that is wrong.
  expect(code).toBe(1)
})

test('a pull with errors changes nothing, and says which', async () => {
  await using directus = await startDirectus({
    collections: { services: [{ ...service, image: uuid(1) }] },
  })
  using target = contentFiles({ 'services.json': [{ ...service, image: null }] })
  const { code, out, err } = await runCli(['content', 'pull', directus.url], {
    dataDir: dataDir(),
    env: { CONTENT_DIR: target.dir },
  })
  expect(code).toBe(1)
  expect(err).toContain('1 error(s) in the content')
  expect(out).toContain('there is no file assets/8f0c2d7a')
  expect(out).not.toContain('changed')
  expect(out).toContain(`Forbidden, or not there; what CONTENT_DIR has of it stays: `)
  expect(readdirSync(target.dir)).toEqual(['services.json'])
  expect(readFileSync(join(target.dir, 'services.json'), 'utf8')).not.toContain(uuid(1))
})

test('a pull knows the files of the service by every address of it', async () => {
  const editors = 'https://cms.example.com'
  await using directus = await startDirectus({
    collections: {
      services: [
        {
          ...service,
          image: `${editors}/assets/${uuid(1)}`,
          body: `<p><img src="${editors}/assets/${uuid(2)}?width=800" alt="x"></p>`,
        },
      ],
      faq: [{ id: 1, question: 'Q', answer: `<a href="${editors}/assets/${uuid(3)}">A</a>` }],
      media: [{ id: uuid(1), alt: 'A car' }],
    },
    assets: { [uuid(1)]: png, [uuid(2)]: png, [uuid(3)]: png },
  })
  using target = contentFiles()
  const { code, err } = await runCli(['content', 'pull', directus.url], {
    dataDir: dataDir(),
    env: { CONTENT_DIR: target.dir, CONTENT_PUBLIC_URL: editors },
  })
  expect([code, err]).toEqual([0, ''])
  expect(readdirSync(join(target.dir, 'assets'))).toHaveLength(3)
  const all = ['services.json', 'services/photography.html', 'faq.json']
    .map((file) => readFileSync(join(target.dir, file), 'utf8'))
    .join('')
  expect(all).not.toContain('cms.example.com')
  expect(all).toContain(`/assets/${uuid(2)}?width=800`)
})

test('a pull from a service that does not answer changes nothing', async () => {
  await using directus = await startDirectus()
  directus.fail({ kind: 'status', status: 500 })
  using target = contentFiles({ 'news.json': [article(9)] })
  const { code, err } = await runCli(['content', 'pull', directus.url], {
    dataDir: dataDir(),
    env: { CONTENT_DIR: target.dir },
  })
  expect(code).toBe(1)
  expect(err).toContain('API error: 500')
  expect(readdirSync(target.dir)).toEqual(['news.json'])
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
