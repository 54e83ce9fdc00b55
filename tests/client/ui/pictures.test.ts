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

test('on phones the picture that a page begins with is lighter than the others', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  const size = async (address: string) => {
    const url = site.url + address.replaceAll('&amp;', '&')
    const picture = await fetch(url, { headers: { accept: 'image/avif,image/webp,*/*' } })
    return (await picture.arrayBuffer()).byteLength
  }
  for (const path of ['/news', '/portfolio', '/shop', '/services/photography']) {
    const html = await (await fetch(site.url + path)).text()
    // React announces it in the head, with the set that a phone chooses from last.
    const announced = [...html.matchAll(/<link rel="preload" as="image"[^>]+>/g)].at(-1)![0]
    const address = widthOf(announced, 750)
    const asOthers = address.replace('quality=60', 'quality=80')
    expect((await size(address)) / (await size(asOthers)), path).toBeLessThan(0.75)
    // On larger screens every pixel is seen.
    expect(widthOf(announced, 1080), path).not.toContain('quality=60')
  }
})

/** The address in a set that is as wide as that. */
const widthOf = (set: string, width: number): string =>
  new RegExp(String.raw`(\S+) ${width}w`).exec(set)![1]!

test('every picture further down the home page waits for the large one', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  const html = await (await fetch(`${site.url}/`)).text()
  const lazy = [...html.matchAll(/<img [^>]*loading="lazy"[^>]*>/g)].map(([image]) => image)
  expect(lazy.length).toBeGreaterThan(6)
  // The class whose pictures are held back until then.
  const [, held] = /class="(\S+_picture)"/.exec(lazy[0]!)!
  for (const image of lazy) expect(image).toContain(`class="${held}"`)
})
