import { expect, test } from 'vitest'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { startDirectus } from '../support/directus-double.ts'
import { startSite, type Site } from '../support/site.ts'

/** What needs nothing of the content service. */
const independent = [
  '/robots.txt',
  '/favicon.ico',
  '/icon-192.png',
  '/favicon.svg',
  '/api/health',
  '/api/session',
  '/api/form-proof',
  '/api/site-config',
  '/subscription/form',
  '/subscription/leave/nobody',
  '/%ff',
]

const dependent = [
  '/',
  '/news',
  '/news/some-article',
  '/news/rss.xml',
  '/portfolio',
  '/portfolio?project=some',
  '/services/photography',
  '/about-us',
  '/search?q=kymi',
  '/contactwindow',
  '/privacy-policy',
  '/nothing',
  '/client-zone',
  '/sitemap.xml',
  '/llms.txt',
  '/site.webmanifest',
  '/.well-known/security.txt',
  '/og-image.jpg',
  '/functions/generate-sitemap',
  '/api/news',
  '/api/news/some-article',
  '/api/portfolio',
  '/api/services/photography',
  '/api/content/services',
  '/api/content/settings',
  '/api/content/hero?variant=1',
  '/api/content/seo?path=/',
  '/api/search?q=kymi',
]

async function timeOf(site: Site, path: string) {
  const began = performance.now()
  const { status } = await site.get(path, { headers: { Accept: 'text/html' } })
  return { path, status, seconds: (performance.now() - began) / 1000 }
}

test('while the content service hangs, nothing waits for it in vain and all is said within 10 s', async () => {
  await using directus = await startDirectus()
  directus.fail({ kind: 'hang' })
  await using site = await startSite({
    env: { CONTENT_URL: directus.url },
    renderer: await builtRenderer(dist),
  })
  const askAll = () => Promise.all(dependent.map((each) => timeOf(site, each)))
  // All at once, as on a cold start.
  const answers = askAll()
  for (const path of independent) {
    const { seconds } = await timeOf(site, path)
    // What waits for content does so for more than five seconds, however fast the machine is.
    expect([path, seconds < 5 ? 'at once' : seconds]).toEqual([path, 'at once'])
  }
  for (const { path, seconds } of await answers) {
    expect([path, seconds < 10 ? 'in time' : seconds]).toEqual([path, 'in time'])
  }
  // The second time it is known to be down.
  for (const { path, seconds } of await askAll()) {
    expect([path, seconds < 10 ? 'in time' : seconds]).toEqual([path, 'in time'])
  }
})
