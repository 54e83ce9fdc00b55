import { expect, test } from 'vitest'
import { paths } from '#shared/paths.ts'
import { contentSite } from '../../support/content-site.ts'
import { eventually } from '../../support/eventually.ts'
import { article } from '../../support/hurried-directus.ts'

test('social networks and search engines get the same picture of a service, an article and a case', async () => {
  await using site = await contentSite({
    'SEO.json': [
      { id: 1, url: '/news', og_image: 'https://pictures.example/news.jpg' },
      { id: 2, url: '/services/website-design', og_image: 'https://pictures.example/web.jpg' },
    ],
    'news.json': [article(1), article(2, { image: 'https://pictures.example/article.jpg' })],
    'services.json': [
      {
        id: 1,
        title: 'Website Design',
        url: 'website-design',
        image: 'https://pictures.example/own.jpg',
      },
      { id: 2, title: 'Photography', url: 'photography' },
    ],
  })
  const pages = [
    ['Service', paths.service('website-design'), 'https://pictures.example/web.jpg'],
    ['Service', paths.service('photography'), `${site.context.config.siteUrl}/og-image.jpg`],
    ['NewsArticle', paths.article('a1'), 'https://pictures.example/news.jpg'],
    ['NewsArticle', paths.article('a2'), 'https://pictures.example/article.jpg'],
  ]
  for (const [type, path, picture] of pages) {
    // A head doesn't wait for content that takes long, as the first reading may on a busy machine.
    await eventually(async () => {
      const { text } = await site.get(path!, { headers: { Accept: 'text/html' } })
      const things = [...text.matchAll(/<script type="application\/ld\+json">([^<]+)</g)].map(
        ([, json]) => JSON.parse(json!) as { '@type': string; image?: string | string[] },
      )
      const { image } = things.find((thing) => thing['@type'] === type) ?? {}
      expect(text).toContain(`<meta property="og:image" content="${picture}"`)
      expect([path, [image].flat()[0]]).toEqual([path, picture])
    })
  }
})
