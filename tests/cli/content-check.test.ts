import sharp from 'sharp'
import { expect, test } from 'vitest'
import { contentFiles } from '../support/content-files.ts'
import { startDirectus } from '../support/directus-double.ts'
import { runCli } from '../support/run-cli.ts'
import { article, check, dataDir, service, sound } from '../support/sound-content.ts'

const lines = (findings: readonly object[]) =>
  findings.map((each) => Object.values(each).join(' | '))

test('dates, words for a status and names of fields that are not as they should be are named', async () => {
  using files = sound()
  files.write('news.json', [
    article(1, { published_at: '12.11.2026' }),
    article(2, { published_at: '2026-02-30' }),
    article(3, { status: 'publishd' }),
    article(4, { status: 'Draft ', published_at: '2026-11-12T10:00:00+02:00' }),
    article(5, { titel: 'Typo', Excerpt: 'Case' }),
    article(6, { status: 7 }),
    article(7, { published_at: '2026-11-12', date_created: null, user_created: 'x' }),
    article(8, { published_at: '2026-11-12T10:00' }),
    article(9, { slug: 'Ääni/yksi' }),
    article(10, { slug: '..' }),
  ])
  const { code, findings } = await check(files)
  expect(code).toBe(1)
  const said = lines(findings).filter((line) => line.includes('news.json'))
  for (const expected of [
    /error \| news\.json \| 1 \| published_at \| .*12\.11\.2026/,
    /error \| news\.json \| 2 \| published_at \|/,
    /error \| news\.json \| 3 \| status \| "publishd" is not a status/,
    /warning \| news\.json \| 5 \| titel \| unknown field$/,
    /warning \| news\.json \| 5 \| Excerpt \| .*did you mean excerpt\?/,
    /error \| news\.json \| 6 \| status \|/,
    /warning \| news\.json \| 8 \| published_at \| "2026-11-12T10:00" names no time zone/,
    /warning \| news\.json \| 9 \| slug \| "Ääni\/yksi" makes an address/,
    /error \| news\.json \| 10 \| slug \| No page can have this address/,
  ]) {
    expect(
      said.filter((line) => expected.test(line)),
      String(expected),
    ).toHaveLength(1)
  }
  expect(said).toHaveLength(9)
})

test('a film or frame in a text is named, since no page shows it', async () => {
  using files = sound()
  files.write('news.json', [
    article(1, { content: '<IFRAME src="https://films.example/1"></IFRAME><p>a</p>' }),
    article(2, { content: '<p>iframe and &lt;video&gt; as words</p>' }),
  ])
  const { code, findings } = await check(files)
  expect(code).toBe(0)
  expect(lines(findings)).toEqual([
    'warning | news.json | 1 | content | <iframe> isn’t shown on pages; link to what it holds instead',
  ])
})

test('a folder without content is a mistyped name, and nothing in it is called sound', async () => {
  using files = contentFiles({})
  const { code, out, err } = await runCli(['content', 'check', files.dir], { dataDir: dataDir() })
  expect([code, out, err]).toEqual([1, '', `No content files in ${files.dir}.\n`])
})

test('a byte order mark is no mistake', async () => {
  using files = sound()
  const marked = (value: unknown) => `\uFEFF${JSON.stringify(value)}`
  files.write('services.json', marked([service]))
  files.write('booking-rules.json', marked({ services: {} }))
  files.write('products.json', marked([]))
  const { code, findings } = await check(files)
  expect([code, lines(findings)]).toEqual([0, []])
})

test('with a Directus the same mistakes are found in what it answers', async () => {
  const uuid = (last: number) => `8f0c2d7a-6f0d-4a52-9b27-0c6a3a5b8d0${last}`
  await using directus = await startDirectus({
    token: 't',
    collections: {
      services: [{ ...service, image: uuid(1) }],
      news: [
        article(1, {
          image: uuid(2),
          status: 'publishd',
          content: '<p><a href="/nowhere">x</a></p>',
        }),
        article(2, {
          slug: 'article-1',
          image: uuid(3),
          published_at: 'soon',
          status: 'published',
          content: '',
        }),
      ],
      directus_files: [1, 2].map((last) => ({
        id: uuid(last),
        width: 4,
        height: 3,
        description: last === 1 ? 'A car' : null,
      })),
      section_hero: [],
      SEO: [],
      menu_main: [],
    },
  })
  using unused = contentFiles({ 'news.json': '[broken' })
  const { code, out } = await runCli(['content', 'check', '--json'], {
    dataDir: dataDir(),
    env: { CONTENT_URL: directus.url, CONTENT_TOKEN: 't', CONTENT_DIR: unused.dir },
  })
  expect(code).toBe(1)
  const said = lines(JSON.parse(out) as object[])
  for (const expected of [
    /error \| news\.json \| 1 \| status \| "publishd" is not a status/,
    /error \| news\.json \| 1 \| content \| broken link: \/nowhere/,
    /error \| news\.json \| 1 \| image \| image .*2 has no alt text/,
    /error \| news\.json \| 2 \| slug \| duplicate "article-1"/,
    /error \| news\.json \| 2 \| published_at/,
    /error \| news\.json \| 2 \| image \| file not found: assets/,
    /error \| portfolio\.json \| {2}\| {2}\| collection missing from the content service/,
  ]) {
    expect(
      said.filter((line) => expected.test(line)),
      String(expected),
    ).toHaveLength(1)
  }
  // Files that the service has are not fetched to learn that.
  expect(directus.hits(`/assets/${uuid(1)}`)).toBe(0)
  // A folder is checked by itself.
  const folder = await runCli(['content', 'check', unused.dir, '--json'], {
    dataDir: dataDir(),
    env: { CONTENT_URL: directus.url },
  })
  expect(folder.out).toContain('not a JSON array')
})

test('texts that say otherwise than the rules of booking are named, until they agree', async () => {
  using files = sound()
  const spoken = (hours: string, days: string, percent: string) => [
    {
      id: 1,
      question: 'How do I book?',
      answer: `<p>We hold them for at least <b>${hours}</b> hours, free. Photos come within 48 hours.</p>`,
    },
    {
      id: 2,
      question: 'What if it is cancelled?',
      answer: `<p>You can cancel free of charge until ${days} days before the first day. After that, ${percent}&nbsp;% of the price is due.</p>`,
    },
  ]
  const rules = { services: { photography: {} }, holdHours: 96 }
  files.write('booking-rules.json', rules)
  files.write('faq.json', spoken('72', '10', '80'))
  files.write(
    'news/a.html',
    '<p><img src="/assets/car">Dates are held for 24 hours. The 24 Hours of Kouvola will be held in June; last year’s was cancelled 3 days before.</p>',
  )
  const { code, findings } = await check(files)
  expect([code, lines(findings)]).toEqual([
    0,
    [
      'warning | faq.json | 1 | answer | says that dates are held for 72 hours; they are for 96 (booking-rules.json)',
      'warning | faq.json | 2 | answer | says 10 days of cancelling; the rules have 14, 0 (booking-rules.json)',
      'warning | faq.json | 2 | answer | says that 80 % of the price is due; the rules have 50 (booking-rules.json)',
      'warning | news.json | 1 | content | says that dates are held for 24 hours; they are for 96 (booking-rules.json)',
    ],
  ])
  const doctor = () => runCli(['doctor'], { dataDir: dataDir(), env: { CONTENT_DIR: files.dir } })
  expect((await doctor()).out).toMatch(
    /warn booking texts: faq 1 says that dates are held for 72 hours; they are for 96; faq 2 says 10 days/,
  )
  files.write('faq.json', spoken('96', '14', '50'))
  files.write('news/a.html', '<p><img src="/assets/car"></p>')
  expect((await check(files)).findings).toEqual([])
  expect((await doctor()).out).toContain('ok   booking texts')
})

test('pictures that are there and can’t be shown are named with what to do about them', async () => {
  using files = sound()
  const huge = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="11000" height="11000"/>')
  files.write('assets/huge.png', await sharp(huge).png().toBuffer())
  files.write('assets/text.jpg', 'no picture at all')
  files.write('assets/logo.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>')
  files.write('assets/phone.heic', 'from a phone')
  const ids = ['huge', 'text', 'logo', 'phone', 'car.jpg', 'car']
  files.write(
    'news.json',
    ids.map((image, at) => article(at + 1, { image })),
  )
  files.write(
    'media.json',
    ['car', 'huge', 'text', 'logo'].map((id) => ({ id, alt: 'A car' })),
  )
  const { findings } = await check(files)
  expect(lines(findings)).toEqual([
    'error | news.json | 4 | image | assets/phone.heic is of a kind that isn’t shown; save it as JPEG, PNG, WebP or AVIF',
    'error | news.json | 5 | image | file not found: assets/car.jpg.*; leave out the ending: car',
    'warning | assets/huge.png |  |  | has more than 120 million pixels, so no page can show it; make it smaller',
    'warning | assets/logo.svg |  |  | isn’t cut to size, and not shown where a link to its page is shared; save it as JPEG, PNG, WebP or AVIF',
    'warning | assets/text.jpg |  |  | can’t be read as a picture, so no page can show it',
  ])
})
