import { expect, test } from 'vitest'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { contentFiles } from '../../support/content-files.ts'
import { eventually } from '../../support/eventually.ts'
import { startSite, type Site } from '../../support/site.ts'

const article = (id: number, content: string) => ({
  id,
  slug: `a${id}`,
  title: `A${id}`,
  published_at: '2026-01-01T08:00:00Z',
  content,
})

const sources = async (site: Site, path: string) => {
  const { headers } = await site.get(path, { headers: { Accept: 'text/html' } })
  const policy = String(headers['content-security-policy'])
  return /img-src ([^;]*)/.exec(policy)![1]!.split(' ')
}

test('a page may show the pictures that content takes from elsewhere, and no others', async () => {
  using files = contentFiles({
    'section_hero.json': [
      { id: 1, title: 'T', photo_url: 'https://photos.example.com/a.jpg', Status: 'published' },
      { id: 2, title: 'U', photo_url: 'https://hidden.example.com/a.jpg', Status: 'draft' },
    ],
    'news.json': [
      article(1, '<p>x</p><img alt="" src="https://texts.example.com:8443/b.jpg?c=1">'),
      { ...article(2, '<img src="https://drafts.example.com/b.jpg">'), status: 'draft' },
      article(3, '<a href="https://linked.example.com/b.jpg">no picture</a>'),
    ],
    'faq.json': [{ id: 1, question: 'Q', answer: '<img src="https://answers.example.com/c.png">' }],
  })
  await using site = await startSite({
    env: { CONTENT_DIR: files.dir },
    renderer: await builtRenderer(dist),
  })
  site.context.content.prefetch()
  const wanted = [
    "'self'",
    'data:',
    'https://answers.example.com',
    'https://photos.example.com',
    'https://texts.example.com:8443',
  ]
  await eventually(async () => expect(await sources(site, '/')).toEqual(wanted))
  // Those of a page that is kept, too.
  await eventually(async () => {
    const { headers } = await site.get('/', { headers: { Accept: 'text/html' } })
    expect(headers.etag).toBeDefined()
    expect(await sources(site, '/')).toEqual(wanted)
  })
  expect(await sources(site, '/news/a1')).toEqual(wanted)
  files.write('section_hero.json', [])
  await eventually(async () =>
    expect(await sources(site, '/')).not.toContain('https://photos.example.com'),
  )
})

test('content cannot write into the policy, nor make it endless', async () => {
  using files = contentFiles({
    'section_hero.json': Array.from({ length: 99 }, (_, id) => ({
      id,
      photo_url: `https://h${id}.example.com/a.jpg`,
      Status: 'published',
    })),
    'SEO.json': [
      { id: 1, url: '/', og_image: "https://x.example; script-src 'unsafe-inline'/a.jpg" },
      { id: 2, url: '/a', og_image: 'https://*/a.jpg' },
    ],
  })
  await using site = await startSite({
    env: { CONTENT_DIR: files.dir },
    renderer: await builtRenderer(dist),
  })
  site.context.content.prefetch()
  await eventually(async () => expect((await sources(site, '/')).length).toBeGreaterThan(10))
  const { headers } = await site.get('/', { headers: { Accept: 'text/html' } })
  const policy = String(headers['content-security-policy'])
  expect(policy.match(/script-src/g)).toHaveLength(1)
  expect(policy).not.toContain('unsafe-inline')
  expect(policy).not.toContain('*')
  expect((await sources(site, '/')).length).toBeLessThanOrEqual(22)
})
