import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { createPicturePreparation } from '#server/content/assets/prepare-pictures.ts'
import { contentFiles } from '../../support/content-files.ts'
import { eventually } from '../../support/eventually.ts'
import { startProcess } from '../../support/server-process.ts'

const sample = join(import.meta.dirname, '../../../data/content')
const rows = (name: string) =>
  JSON.parse(readFileSync(join(sample, `${name}.json`), 'utf8')) as Record<string, unknown>[]

/**
 * The sample content with one row of each kind, since the whole of it has a thousand pictures, and
 * with small ones: what is tested is when they are made, and large ones take a minute of processor.
 */
async function smallContent() {
  const files = contentFiles({
    'media.json': rows('media'),
    'section_hero.json': rows('section_hero').slice(0, 1),
    'services.json': rows('services').slice(0, 1),
    'news.json': rows('news').slice(0, 1),
    'portfolio.json': rows('portfolio').slice(0, 1),
    'products.json': rows('products').slice(0, 1),
  })
  for (const folder of ['news', 'services', 'products']) {
    cpSync(join(sample, folder), join(files.dir, folder), { recursive: true })
  }
  mkdirSync(join(files.dir, 'assets'))
  for (const name of readdirSync(join(sample, 'assets'))) {
    const [from, to] = [sample, files.dir].map((dir) => join(dir, 'assets', name))
    if (name.endsWith('.jpg')) await sharp(from).resize(160).toFile(to!)
    else cpSync(from!, to!)
  }
  return files
}

/** The server as it is started, and what its log says. */
async function started(env: Record<string, string>) {
  const dataDir = mkdtempSync(join(tmpdir(), 'pitlane-'))
  const server = await startProcess('server/start.js', { DATA_DIR: dataDir, ...env })
  const logged = () =>
    readdirSync(join(dataDir, 'logs'))
      .map((name) => readFileSync(join(dataDir, 'logs', name), 'utf8'))
      .join('')
  return {
    server,
    /** How often all pictures of all pages have been there. */
    passes: () => logged().split('images of pages prepared').length - 1,
    made: () => readdirSync(join(dataDir, 'cache/assets')).toSorted(),
    async [Symbol.asyncDispose]() {
      await server.kill()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** What a browser may load for a page: every candidate of every set. */
async function picturesOf(url: string, path: string): Promise<string[]> {
  const html = await (await fetch(url + path)).text()
  const sets = Array.from(html.matchAll(/srcset="([^"]+)"/gi), ([, set]) =>
    set!.split(', ').map((candidate) => candidate.split(' ')[0]!),
  )
  return sets.flat().map((address) => address.replaceAll('&amp;', '&'))
}

/** Loads pictures as a browser does. @returns those that had to be made first */
async function load(
  { server: { url }, made }: Pick<Awaited<ReturnType<typeof started>>, 'server' | 'made'>,
  pictures: readonly string[],
): Promise<string[]> {
  const late: string[] = []
  for (const picture of new Set(pictures)) {
    const before = made().length
    const headers = { Accept: 'image/avif,image/webp,*/*' }
    const response = await fetch(url + picture, { headers })
    expect([picture, response.status]).toEqual([picture, 200])
    await response.arrayBuffer()
    if (made().length > before) late.push(picture)
  }
  return late
}

test('the first visitor waits for no picture, nor does the first one of a new one', async () => {
  using content = await smallContent()
  await using site = await started({ CONTENT_DIR: content.dir })
  const { url } = site.server
  const pages = [
    '/',
    '/portfolio',
    '/portfolio/blue-hour-in-rovaniemi',
    '/services/photography',
    '/shop',
    '/shop/products/blue-hour-fine-art-print',
    '/news',
    '/news/booking-opens-for-2027',
  ]
  // They are made with the lowest priority: while other tests run, that can take until they are done.
  await eventually(() => expect(site.passes()).toBe(1), 1_200_000)
  const before = site.made()
  const shown = (await Promise.all(pages.map((path) => picturesOf(url, path)))).flat()
  expect(new Set(shown).size).toBeGreaterThan(50)
  expect(await load(site, shown)).toEqual([])

  content.write('news.json', [{ ...rows('news')[0], image: 'rev-counter' }])
  await eventually(() => expect(site.passes()).toBe(2), 600_000)
  expect(site.made().length).toBeGreaterThan(before.length)
  const changed = await picturesOf(url, '/news/booking-opens-for-2027')
  expect(changed.filter((picture) => picture.includes('rev-counter'))).not.toEqual([])
  expect(await load(site, changed)).toEqual([])
}, 2_000_000)

/** A preparation of one page with ten pictures, of which none can be written, and what it logs. */
function withFailing(problem: (name: string) => string) {
  let [version, attempts, passes] = [1, 0, 0]
  let onChange = () => {}
  const warnings: unknown[] = []
  const preset = { width: 640, height: null, fit: 'cover', quality: 80, format: 'webp' } as const
  const original = { type: 'image/jpeg', version: '1', path: async () => '/original' }
  const preparation = createPicturePreparation({
    content: { version: () => version, asset: async () => original, picture: async () => null },
    pictures: {
      preset: async () => preset,
      find: async () => null,
      make: () => Promise.reject(new Error('not asked for')),
      store: async ({ name }) => {
        attempts += 1
        throw new Error(problem(name))
      },
    },
    given: () => [],
    paths: async () => ['/'],
    html: async () => {
      passes += 1
      return [Array.from({ length: 10 }, (_, n) => `/assets/p${n}?width=640`).join(' ')]
    },
    onChange: (listener) => void (onChange = listener),
    log: { info() {}, warn: (about: unknown) => void warnings.push(about) },
  })
  return {
    warnings,
    attempts: () => attempts,
    /** Lets it go over the page again. */
    async pass() {
      const before = passes
      version += 1
      if (before === 0) preparation.start()
      else onChange()
      await eventually(() => expect(passes).toBeGreaterThan(before))
      await eventually(() => expect(attempts).toBeGreaterThan(0))
    },
    [Symbol.asyncDispose]: () => preparation.close(),
  }
}

test('a full disk is told of once, and no further picture is made for it', async () => {
  await using full = withFailing(() => 'Error: ENOSPC: no space left on device, write')
  await full.pass()
  await full.pass()
  await full[Symbol.asyncDispose]()
  expect(full.warnings).toHaveLength(1)
  expect(full.attempts()).toBeLessThan(8)
})

test('each picture that can’t be made is told of once, however often it is tried', async () => {
  await using broken = withFailing((name) => `Error: ${name} is broken`)
  await broken.pass()
  await eventually(() => expect(broken.attempts()).toBe(10))
  await broken.pass()
  await eventually(() => expect(broken.attempts()).toBe(20))
  expect(broken.warnings).toHaveLength(10)
})
