import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { contentFiles } from '../../support/content-files.ts'
import { eventually } from '../../support/eventually.ts'
import { startSite } from '../../support/site.ts'

const service = (id: string, more: object = {}) => ({ id, title: id, url: id, ...more })
const titles = (json: unknown) => (json as { title: string }[]).map(({ title }) => title)

test('shows a change of a file within a second, without a restart', async () => {
  using files = contentFiles({ 'services.json': [service('Photography')] })
  await using site = await startSite({ env: { CONTENT_DIR: files.dir } })
  const { content } = site.context
  expect(titles((await site.get('/api/content/services')).json)).toEqual(['Photography'])
  const before = content.version()
  let told = 0
  content.onChange(() => (told += 1))

  files.write('services.json', [service('Photography'), service('Videography')])

  await eventually(async () => {
    expect(titles((await site.get('/api/content/services')).json)).toEqual([
      'Photography',
      'Videography',
    ])
  })
  expect(content.version()).toBeGreaterThan(before)
  expect(told).toBe(1)
})

test('does not call a file changed that was written again as it was', async () => {
  using files = contentFiles({ 'services.json': [service('Photography')] })
  await using site = await startSite({ env: { CONTENT_DIR: files.dir } })
  const { content } = site.context
  const rows = await content.rows('services')
  expect(await content.rows('team')).toEqual([])
  const before = content.version()
  files.write('services.json', [service('Photography')])
  // What is written after it is noticed after it.
  files.write('team.json', [{ id: 'aino', name: 'Aino' }])
  await eventually(() => expect(content.version()).toBeGreaterThan(before))
  expect(await content.rows('team')).toHaveLength(1)
  expect(await content.rows('services')).toBe(rows)
  expect(content.version()).toBe(before + 1)
})

test('a file that goes takes its rows along, and the log says so', async () => {
  using files = contentFiles({ 'news.json': [], 'services.json': [service('Photography')] })
  await using site = await startSite({ env: { CONTENT_DIR: files.dir } })
  const { content, log } = site.context
  const warn = vi.spyOn(log, 'warn')
  expect(await content.rows('services')).toHaveLength(1)
  expect(await content.rows('news')).toEqual([])
  files.remove('news.json')
  files.remove('services.json')
  await eventually(async () => expect(await content.rows('services')).toEqual([]))
  const gone = warn.mock.calls.filter(([, message]) => String(message).includes('is gone'))
  expect(gone.map(([what]) => what)).toMatchObject([{ file: expect.stringContaining('services') }])
})

test('notices files in a folder, and a folder, that were not there at the start', async () => {
  using files = contentFiles()
  await using site = await startSite({ env: { CONTENT_DIR: files.dir } })
  const { content } = site.context
  expect(await content.rows('services')).toEqual([])
  expect(await content.asset('car')).toBeNull()
  files.write('services.json', [service('photography', { body: { $file: 'services/a.html' } })])
  files.write('services/a.html', '<p>one</p>')
  files.write('assets/car.jpg', 'bytes')
  await eventually(async () => expect(await content.asset('car')).not.toBeNull())
  await eventually(async () =>
    expect(await content.text('services', 'photography')).toBe('<p>one</p>'),
  )
  const before = content.version()
  files.write('services/a.html', '<p>two</p>')
  await eventually(async () => {
    expect(await content.text('services', 'photography')).toBe('<p>two</p>')
    expect(content.version()).toBeGreaterThan(before)
  })
})

test('keeps the last good content of a file that broke, and says where it broke', async () => {
  using files = contentFiles({ 'services.json': [service('Photography')] })
  await using site = await startSite({ env: { CONTENT_DIR: files.dir } })
  await site.get('/api/content/services')
  files.write('services.json', '[\n  {"id": "x",\n  "title": }\n]')
  const line = await eventually(() => {
    const found = site.logLines().find((each) => each.includes('keeping the last good version'))
    expect(found).toBeDefined()
    return JSON.parse(found!) as Record<string, unknown>
  })
  expect(line).toMatchObject({ line: 3, column: 12 })
  expect(line.file).toMatch(/services\.json$/)
  expect(titles((await site.get('/api/content/services')).json)).toEqual(['Photography'])
  files.write('services.json', [service('Repaired')])
  await eventually(async () =>
    expect(titles((await site.get('/api/content/services')).json)).toEqual(['Repaired']),
  )
})

test('keeps the last rows of a file none of whose rows can be shown, without those it withdraws', async () => {
  using files = contentFiles({ 'services.json': [service('photography'), service('videography')] })
  await using site = await startSite({ env: { CONTENT_DIR: files.dir } })
  const shown = async () => titles((await site.get('/api/content/services')).json)
  const health = async () => (await site.get('/api/health')).json
  expect(await shown()).toEqual(['photography', 'videography'])

  // As a Directus exports it.
  files.write('services.json', { data: [service('photography'), service('videography')] })
  await eventually(async () =>
    expect(await health()).toMatchObject({
      status: 'degraded',
      content: 'stale',
      contentProblem: 'services: its row can’t be shown (id: Missing); showing the last ones',
    }),
  )
  expect(await shown()).toEqual(['photography', 'videography'])

  files.write('services.json', [
    { id: 'photography', name: 'A renamed field' },
    { id: 'videography', name: 'Another one', status: 'draft' },
  ])
  await eventually(async () => expect(await shown()).toEqual(['photography']))
  expect(await health()).toMatchObject({ content: 'stale' })

  files.write('services.json', [service('videography')])
  await eventually(async () => expect(await shown()).toEqual(['videography']))
  expect(await health()).toMatchObject({ status: 'ok', content: 'ok' })
})

test('answers 503 in the words of the contract for a file that was broken from the start', async () => {
  using files = contentFiles({ 'services.json': '[{' })
  await using site = await startSite({ env: { CONTENT_DIR: files.dir } })
  const { status, json } = await site.get('/api/content/services')
  expect(status).toBe(503)
  expect(json).toMatchObject({ success: false, message: 'API error: 503 Service Unavailable' })
})

test('leaves out only the row that breaks its schema, and names its field', async () => {
  using files = contentFiles({
    'services.json': [service('Good'), { id: 'bad', title: 7, url: 'bad' }, 'no row'],
  })
  await using site = await startSite({ env: { CONTENT_DIR: files.dir } })
  expect(titles((await site.get('/api/content/services')).json)).toEqual(['Good'])
  const logged = site.logLines().find((line) => line.includes('content row left out'))
  expect(JSON.parse(logged!)).toMatchObject({ collection: 'services', row: 'bad', field: 'title' })
})

test('leaves out a row with a blank title, which no link could be called by', async () => {
  using files = contentFiles({
    'services.json': [service('photography'), service('blank', { title: ' ' })],
    'menu_main.json': [
      { id: 1, title: 'News', url: '/news' },
      { id: 2, title: '', url: '/shop' },
    ],
  })
  await using site = await startSite({ env: { CONTENT_DIR: files.dir } })
  const { content } = site.context
  expect(titles(await content.rows('services'))).toEqual(['photography'])
  expect(titles(await content.rows('menu_main'))).toEqual(['News'])
})

test('shows neither drafts nor archived rows, and scheduled ones from their minute on', async () => {
  const article = (id: number, more: object) => ({ id, slug: `a${id}`, title: `A${id}`, ...more })
  using files = contentFiles({
    'news.json': [
      article(1, { published_at: '2026-01-01T10:00:00', status: 'published' }),
      article(2, { published_at: '2026-01-02T10:00:00Z', status: 'draft' }),
      article(3, { published_at: '2026-01-03T10:00:00Z', status: 'archived' }),
      article(4, { published_at: '2026-11-20T12:30:00Z' }),
      article(5, { published_at: 'soon' }),
    ],
  })
  await using site = await startSite({ env: { CONTENT_DIR: files.dir } })
  const slugs = async () => (await site.context.content.rows('news')).map(({ slug }) => slug)
  expect(await slugs()).toEqual(['a1'])
  expect((await site.get('/items/news?limit=-1')).text).not.toMatch(/A[2345]/)
  expect((await site.get('/items/news/4')).status).toBe(403)
  const before = site.context.content.version()
  site.clock.advance(30 * 60_000)
  expect(site.context.content.version()).toBeGreaterThan(before)
  expect(await slugs()).toEqual(['a4', 'a1'])
})

test('a time that names no zone is UTC, in whichever zone the server runs', async () => {
  vi.stubEnv('TZ', 'Europe/Helsinki')
  const times = [
    '2026-01-02T10:00',
    '2026-01-02 10:00:00',
    '2026-01-02 12:00:00+02',
    ' 2026-01-02 ',
  ]
  using files = contentFiles({
    'news.json': times.map((at, id) => ({ id, slug: `a${id}`, title: at, published_at: at })),
  })
  try {
    await using site = await startSite({ env: { CONTENT_DIR: files.dir } })
    const rows = await site.context.content.rows('news')
    expect(Object.fromEntries(rows.map((row) => [row.title, row.published_at]))).toEqual(
      Object.fromEntries(
        times.map((at) => [at, `2026-01-02T${at.includes(':') ? 10 : '00'}:00:00.000Z`]),
      ),
    )
  } finally {
    vi.unstubAllEnvs()
  }
})

test('announces a scheduled row in its moment, without being asked', async () => {
  let now = Date.now()
  const at = new Date(now + 2500).toISOString()
  using files = contentFiles({ 'news.json': [{ id: 1, slug: 'a', title: 'A', published_at: at }] })
  const clock = Object.assign(() => Math.max(Date.now(), now), {
    advance: (ms: number) => void (now += ms),
  })
  await using site = await startSite({ env: { CONTENT_DIR: files.dir }, clock })
  const { content } = site.context
  expect(await content.rows('news')).toEqual([])
  let told = 0
  content.onChange(() => (told += 1))
  await eventually(() => expect(told).toBe(1))
  expect(await content.rows('news')).toHaveLength(1)
})

test('sorts by place, rows without one last; articles by date', async () => {
  using files = contentFiles({
    'menu_main.json': [
      { id: 1, title: 'No place' },
      { id: 2, title: 'Second', sort: 2 },
      { id: 3, title: 'First', sort: 1 },
    ],
    'news.json': [
      { id: 1, slug: 'old', title: 'Old', published_at: '2025-01-01' },
      { id: 2, slug: 'new', title: 'New', published_at: '2026-01-01' },
    ],
  })
  await using site = await startSite({ env: { CONTENT_DIR: files.dir } })
  expect(titles((await site.get('/api/content/menu')).json)).toEqual([
    'First',
    'Second',
    'No place',
  ])
  expect(titles((await site.get('/api/content/latest-news')).json)).toEqual(['New', 'Old'])
})

test('never reads a long text from outside its folder', async () => {
  using files = contentFiles({
    'services.json': [
      service('up', { body: { $file: '../../../etc/hostname' } }),
      service('kind', { body: { $file: 'menu_main.json' } }),
    ],
  })
  await using site = await startSite({ env: { CONTENT_DIR: files.dir } })
  expect(await site.context.content.text('services', 'up')).toBeNull()
  expect(await site.context.content.text('services', 'kind')).toBeNull()
})

test('a byte order mark at the beginning of a file is no part of it', async () => {
  using files = contentFiles({
    'news.json': `\uFEFF${JSON.stringify([
      {
        id: 1,
        slug: 'a',
        title: 'A',
        published_at: '2026-01-01',
        content: { $file: 'news/a.html' },
      },
    ])}`,
    'news/a.html': '\uFEFF<p>Text</p>',
  })
  await using site = await startSite({ env: { CONTENT_DIR: files.dir } })
  const { content } = site.context
  expect(await content.rows('news')).toMatchObject([{ title: 'A' }])
  expect(await content.text('news', 1)).toBe('<p>Text</p>')
  expect(content.outage()).toBeNull()
})

test('files in the encodings of office programs keep their letters, and one in UTF-8 with a broken letter all others', async () => {
  const row = { id: 1, slug: 'a', title: 'Räikkönen “SÄÄ”', published_at: '2026-01-01' }
  const news = JSON.stringify([{ ...row, content: { $file: 'news/a.html' } }])
  const windows = (text: string) =>
    Buffer.from(text.replace('“', '\u{93}').replace('”', '\u{94}'), 'latin1')
  using files = contentFiles({ 'news.json': '[]' })
  const write = (path: string, bytes: Buffer) => {
    mkdirSync(dirname(join(files.dir, path)), { recursive: true })
    writeFileSync(join(files.dir, path), bytes)
  }
  write('news.json', windows(news))
  write('news/a.html', Buffer.from(`\uFEFF<p>Yö ja päivä</p>`, 'utf16le'))
  await using site = await startSite({ env: { CONTENT_DIR: files.dir } })
  const { content } = site.context
  expect(await content.rows('news')).toMatchObject([{ title: row.title }])
  expect(await content.text('news', 1)).toBe('<p>Yö ja päivä</p>')

  const [before, after] = ['Jyväskylä–Räikkönen ', ' Ääkkönen']
  write('news.json', Buffer.from(news))
  write(
    'news/a.html',
    Buffer.concat([Buffer.from(before), Buffer.from([0xe4]), Buffer.from(after)]),
  )
  await eventually(async () =>
    expect(await content.text('news', 1)).toBe(`${before}\u{fffd}${after}`),
  )
  expect(await content.rows('news')).toMatchObject([{ title: row.title }])
})
