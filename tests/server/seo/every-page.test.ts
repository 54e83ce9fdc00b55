import { expect, test } from 'vitest'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { paths } from '#shared/paths.ts'
import { startSite } from '../../support/site.ts'

/** What a function gives, or null where it cannot do without an argument. */
function attempt(build: () => unknown): unknown {
  try {
    return build()
  } catch {
    return null
  }
}

/** The addresses of `paths` that need nothing to be built. */
const plain = Object.values(paths).flatMap((path) => {
  const address: unknown = attempt(() => Reflect.apply(path, null, []) as unknown)
  const isPage = typeof address === 'string' && /^\/(?!api\/)/.test(address)
  return isPage && !/#|undefined/.test(address) ? [address] : []
})

test('a page that search engines may show is in the sitemap, and one that they may not is not', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  const sitemap = (await site.get('/sitemap.xml')).text
  const listed = new Set(
    [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, loc]) => new URL(loc!).pathname),
  )
  const shown: string[] = []
  for (const path of new Set(plain)) {
    const { status, headers, text } = await site.get(path, { headers: { Accept: 'text/html' } })
    if (status !== 200 || !String(headers['content-type']).startsWith('text/html')) continue
    const hidden =
      /noindex/.test(String(headers['x-robots-tag'])) || /name="robots"[^>]*noindex/.test(text)
    const canonical = /<link rel="canonical" href="([^"]+)"/.exec(text)?.[1]
    if (!hidden && canonical && new URL(canonical).pathname === path) shown.push(path)
    else expect(listed, path).not.toContain(path)
  }
  expect(shown.length).toBeGreaterThan(10)
  expect(shown.filter((path) => !listed.has(path))).toEqual([])
})
