import { expect, test } from 'vitest'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { startSite } from '../../support/site.ts'

test('the picture that a page is judged by is asked for at once, in the best format there is', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  for (const path of ['/portfolio', '/about-us']) {
    const html = await (await fetch(site.url + path)).text()
    const [first] = /<img fetchPriority="high"[^>]+>/i.exec(html) ?? []
    expect(first, path).not.toContain('lazy')
    const [, set] = /srcSet="([^"]+)"/i.exec(first!)!
    const address = set!.split(', ')[0]!.split(' ')[0]!.replaceAll('&amp;', '&')
    // Found by the browser before it has read as far as the picture.
    expect(html.slice(0, html.indexOf('</head>')), path).toContain(set)
    const typeFor = async (accept: string) => {
      const { headers } = await fetch(site.url + address, { headers: { accept } })
      expect(headers.get('vary')).toContain('Accept')
      return headers.get('content-type')
    }
    expect(await typeFor('image/avif,image/webp,*/*')).toBe('image/avif')
    expect(await typeFor('image/webp,*/*')).toBe('image/webp')
    // Who knows no sets may know no AVIF either.
    expect(/ src="([^"]+)"/.exec(first!)![1]).toContain('format=webp')
  }
})
