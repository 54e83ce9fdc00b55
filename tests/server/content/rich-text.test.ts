import { expect, test } from 'vitest'
import { contentFiles } from '../../support/content-files.ts'
import { startDirectus } from '../../support/directus-double.ts'
import { eventually } from '../../support/eventually.ts'
import { startSite } from '../../support/site.ts'

/** What visitors get of a rich text, through the real reader. */
async function clean(html: string, files: Record<string, unknown> = {}): Promise<string | null> {
  using folder = contentFiles({
    'services.json': [{ id: 1, title: 'S', url: 's', body: html }],
    ...files,
  })
  await using site = await startSite({ env: { CONTENT_DIR: folder.dir } })
  return await site.context.content.text('services', 1)
}

test.for([
  ['scripts', '<p>a</p><script>alert(1)</script>', '<p>a</p>'],
  ['styles', '<style>p{}</style><p style="color:red">a</p>', '<p>a</p>'],
  ['frames', '<iframe src="https://x.example"><p>b</p></iframe>a', 'a'],
  ['objects and embeds', '<object data="x"><p>b</p></object><embed src="x">a', 'a'],
  ['event handlers', '<p onclick="x()" onmouseover=x()>a</p>', '<p>a</p>'],
  ['formaction and forms', '<form action="/x"><button formaction="/y">a</button></form>', 'a'],
  ['vector markup', '<svg><script>x()</script><a href="javascript:x()">b</a></svg>a', 'a'],
  ['javascript links', '<a href="javascript:x()">a</a>', '<a>a</a>'],
  ['javascript links in disguise', '<a href=" jav&#x09;ascript:x()">a</a>', '<a>a</a>'],
  ['vbscript links', '<a href="vbscript:x()">a</a>', '<a>a</a>'],
  ['data links', '<a href="data:text/html,<script>x()</script>">a</a>', '<a>a</a>'],
  ['data links of pictures', '<a href="data:image/png;base64,AA==">a</a>', '<a>a</a>'],
  ['links without a scheme of their own', '<a href="//x.example">a</a>', '<a>a</a>'],
  ['vector pictures as data', '<img src="data:image/svg+xml;base64,AA==" alt="">', ''],
  ['pages as pictures', '<img src="data:text/html;base64,AA==" alt="">', ''],
  [
    'handlers of pictures',
    '<img src=x.png onerror=x()>',
    '<img src="x.png" alt="" loading="lazy" decoding="async" />',
  ],
  ['comments', 'a<!-- b --><![CDATA[ c ]]>', 'a'],
] as const)('takes %s out', async ([, given, expected]) => {
  expect(await clean(given)).toBe(expected)
})

test.for([
  ['text', '<p>a <b>b</b> <em>c</em><br />d &amp; e</p>'],
  ['headings', '<h2>a</h2><h3>b</h3>'],
  ['lists', '<ul><li>a</li></ul><ol start="3"><li>b</li></ol><dl><dt>c</dt><dd>d</dd></dl>'],
  [
    'tables',
    '<table><caption>a</caption><thead><tr><th scope="col">b</th></tr></thead><tbody><tr><td colspan="2">c</td></tr></tbody></table>',
  ],
  ['figures', '<figure class="wide"><figcaption>a</figcaption></figure>'],
  ['layout', '<section><div class="two"><article>a</article></div></section>'],
  ['quotes', '<blockquote cite="https://x.example/">a</blockquote>'],
  ['links', '<a href="https://x.example/?a=1&amp;b=2">a</a><a href="/news">b</a>'],
  [
    'mail, phone and text links',
    '<a href="mailto:a@x.example">a</a><a href="tel:+358">b</a><a href="sms:+358">c</a>',
  ],
] as const)('leaves %s as they are', async ([, html]) => {
  expect(await clean(html)).toBe(html)
})

test('gives links in a new tab no opener', async () => {
  expect(
    await clean('<a href="/a" target="_blank" rel="opener">a</a><a href="/b" target="top">b</a>'),
  ).toBe('<a rel="noopener" href="/a" target="_blank">a</a><a href="/b">b</a>')
})

test('keeps the anchors of a text apart from those of the page', async () => {
  expect(await clean('<h2 id="contact">a</h2><a href="#contact">b</a>')).toBe(
    '<h2 id="text-contact">a</h2><a href="#text-contact">b</a>',
  )
})

test('allows raster pictures as data', async () => {
  expect(await clean('<img src="data:image/png;base64,iVBORw0KGgo=" alt="a">')).toContain(
    'src="data:image/png;base64,iVBORw0KGgo="',
  )
})

test('brings pictures of the content service from our own address, with size and words', async () => {
  const html = await clean('<img src="/assets/car?width=300">', {
    'media.json': [{ id: 'car', alt: 'A car', width: 1600, height: 900 }],
    'assets/car.jpg': 'pixels',
  })
  expect(html).toMatch(/src="\/assets\/car\?width=1080&amp;quality=80&amp;format=webp&amp;v=\w+"/)
  expect(html).toMatch(/\/assets\/car\?width=640&amp;quality=80&amp;format=webp&amp;v=\w+ 640w/)
  expect(html).toContain('alt="A car" width="1600" height="900" loading="lazy" decoding="async"')
})

test('brings pictures and files of a Directus from our own address', async () => {
  const id = '0b1f2c3d-0000-4000-8000-000000000001'
  await using directus = await startDirectus()
  directus.collections.services = [
    {
      id: 1,
      title: 'S',
      url: 's',
      body: `<img src="${directus.url}/assets/${id}?width=5000" alt="a"><a href="${directus.url}/assets/${id}">b</a>`,
    },
  ]
  await using site = await startSite({ env: { CONTENT_URL: directus.url } })
  const html = await site.context.content.text('services', 1)
  expect(html).not.toContain(directus.url)
  expect(html).toContain(`src="/assets/${id}?width=1080&amp;quality=80&amp;format=webp"`)
  expect(html).toContain(`<a href="/assets/${id}">b</a>`)
})

test('cleans the answers to frequent questions as well', async () => {
  using files = contentFiles({
    'faq.json': [{ id: 1, question: 'Q', answer: '<p onclick="x()">A</p><script>x()</script>' }],
  })
  await using site = await startSite({ env: { CONTENT_DIR: files.dir } })
  const [row] = await site.context.content.rows('faq')
  expect(row?.answer).toBe('<p>A</p>')
})

test('shows the new words of a picture after they changed', async () => {
  using files = contentFiles({
    'services.json': [{ id: 1, title: 'S', url: 's', body: '<img src="/assets/car">' }],
    'media.json': [{ id: 'car', alt: 'Old' }],
    'assets/car.jpg': 'pixels',
  })
  await using site = await startSite({ env: { CONTENT_DIR: files.dir } })
  const { content } = site.context
  expect(await content.text('services', 1)).toContain('alt="Old"')
  files.write('media.json', [{ id: 'car', alt: 'New' }])
  await eventually(async () => expect(await content.text('services', 1)).toContain('alt="New"'))
})

test('a heading of the first level becomes one of the second: the page has its own', async () => {
  expect(await clean('<h1 class="big">a</h1><h2>b</h2>')).toBe('<h2 class="big">a</h2><h2>b</h2>')
})

test('a replaced picture of a text gets another address, which no browser has kept', async () => {
  using files = contentFiles({
    'services.json': [{ id: 1, title: 'S', url: 's', body: '<img src="/assets/car">' }],
    'assets/car.png': 'one',
  })
  await using site = await startSite({ env: { CONTENT_DIR: files.dir } })
  const versions = async () => {
    const html = await site.context.content.text('services', 1)
    return [...new Set(html?.match(/(?<=&amp;v=)[^" ]+/g))]
  }
  const before = await versions()
  expect(before).toHaveLength(1)
  files.write('assets/car.png', 'another one')
  await eventually(async () => {
    const after = await versions()
    expect(after).toHaveLength(1)
    expect(after).not.toEqual(before)
  })
})
