import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { contentFiles, type ContentFiles } from '../support/content-files.ts'
import { startDirectus } from '../support/directus-double.ts'
import { runCli } from '../support/run-cli.ts'

const looks = {
  handle: 'looks',
  title: 'Colour looks',
  kind: 'digital',
  category: 'files',
  description: { $file: 'products/looks.html' },
  pictures: ['car'],
  variants: [{ variant: 'single', title: 'Single', price: '39.00', files: ['looks.zip'] }],
}

/** A content folder with a shop and rules of booking. */
const whole = () =>
  contentFiles({
    'services.json': [{ id: 1, title: 'Photography', url: 'photography', image: 'car' }],
    'media.json': [{ id: 'car', alt: 'A car' }],
    'assets/car.jpg': Buffer.from('picture'),
    'booking-rules.json': { services: { photography: {} } },
    'products.json': [looks],
    'products/looks.html': '<p>Looks</p>',
    'products/files/looks.zip': Buffer.from('zip'),
  })

const beside = [
  'booking-rules.json',
  'products.json',
  'products/looks.html',
  'products/files/looks.zip',
]

const dataDir = () => mkdtempSync(join(tmpdir(), 'pitlane-cli-'))

const content = (files: ContentFiles, ...args: string[]) =>
  runCli(['content', ...args], { dataDir: dataDir(), env: { CONTENT_DIR: files.dir } })

test('export and import carry the rules of booking and the catalogue with its files', async () => {
  using files = whole()
  const exported = join(dataDir(), 'export')
  expect((await content(files, 'export', exported)).code).toBe(0)
  using other = contentFiles({})
  const { code, out } = await content(other, 'import', exported)
  expect([code, out]).toEqual([
    0,
    expect.stringContaining('products.json is only read into an empty shop'),
  ])
  for (const file of beside) {
    expect(readFileSync(join(other.dir, file))).toEqual(readFileSync(join(files.dir, file)))
  }
})

test('mistakes in the rules and in the catalogue are named, and keep an import from anything', async () => {
  using files = whole()
  files.write('booking-rules.json', { services: { photography: { capacity: -1 } } })
  files.write('products.json', [
    { ...looks, description: { $file: 'products/gone.html' }, pictures: ['gone'] },
  ])
  const { code, out } = await content(files, 'check', '--json')
  expect(code).toBe(1)
  const said = (JSON.parse(out) as object[]).map((each) => Object.values(each).join(' | '))
  expect(said.join('\n')).toMatch(/booking-rules\.json \| .*services\.photography/)
  expect(said.join('\n')).toMatch(/products\.json \| looks \| description \| file not found/)
  expect(said.join('\n')).toMatch(/products\.json \| looks \| pictures \| file not found: assets/)
  using other = contentFiles({})
  expect((await content(other, 'import', files.dir)).code).toBe(1)
  expect(existsSync(join(other.dir, 'products.json'))).toBe(false)
  files.write('products.json', [{ ...looks, kind: 'gas' }])
  expect((await content(files, 'check')).out).toContain('0.kind')
  files.write('products.json', Buffer.from('[{]'))
  expect((await content(files, 'check')).out).toContain('not valid JSON from line 1')
})

test('a pull from a Directus leaves them where they are, with the pictures of the shop', async () => {
  await using directus = await startDirectus({
    collections: { services: [{ id: 1, title: 'Photography', url: 'photography' }] },
  })
  using files = whole()
  files.write('assets/old.jpg', Buffer.from('old'))
  const { code, err } = await content(files, 'pull', directus.url)
  expect([code, err]).toEqual([0, ''])
  expect(existsSync(join(files.dir, 'assets/old.jpg'))).toBe(false)
  for (const file of [...beside, 'assets/car.jpg'])
    expect([file, existsSync(join(files.dir, file))]).toEqual([file, true])
})
