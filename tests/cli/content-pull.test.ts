import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { contentFiles } from '../support/content-files.ts'
import { startDirectus } from '../support/directus-double.ts'
import { runCli } from '../support/run-cli.ts'
import { article, check, dataDir, pixel, service } from '../support/sound-content.ts'

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

test('one damaged file keeps no other from being pulled or checked, and is named', async () => {
  await using directus = await startDirectus({
    collections: {
      services: [{ ...service, image: uuid(1), gallery: [uuid(2)] }],
      media: [uuid(1), uuid(2)].map((id) => ({ id, alt: 'A car' })),
    },
    assets: {
      [uuid(1)]: { type: 'image/png', bytes: Buffer.alloc(0) },
      [uuid(2)]: { type: 'image/png', bytes: pixel },
    },
  })
  using target = contentFiles({ 'news.json': [] })
  const { out } = await runCli(['content', 'pull', directus.url, '--dry-run', '--json'], {
    dataDir: dataDir(),
    env: { CONTENT_DIR: target.dir },
  })
  const { forbidden, assets } = JSON.parse(out) as { forbidden: string[]; assets: number }
  expect(forbidden).toContain(uuid(1))
  expect(assets).toBe(1)
  const checked = await runCli(['content', 'check', '--json'], {
    dataDir: dataDir(),
    env: { CONTENT_DIR: target.dir, CONTENT_URL: directus.url },
  })
  const findings = JSON.parse(checked.out) as { file: string; problem: string }[]
  expect(findings.filter(({ problem }) => problem.includes(uuid(1)))).not.toEqual([])
  expect(findings.filter(({ problem }) => problem.includes(uuid(2)))).toEqual([])
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
  expect(err).toContain('1 error in the content')
  expect(out).toContain('file not found: assets/8f0c2d7a')
  expect(out).not.toContain('changed')
  expect(out).toContain(`Missing or not readable, kept as in CONTENT_DIR: `)
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
