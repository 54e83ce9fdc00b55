import sharp from 'sharp'
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
    const address = widthOf(announced, 640)
    const asOthers = address.replace('quality=60', 'quality=80')
    expect((await size(address)) / (await size(asOthers)), path).toBeLessThan(0.75)
    // On larger screens every pixel is seen.
    expect(widthOf(announced, 1080), path).not.toContain('quality=60')
  }
})

/** The address in a set that is as wide as that. */
const widthOf = (set: string, width: number): string =>
  new RegExp(String.raw`([^\s\"]+) ${width}w`).exec(set)![1]!

test('a thumbnail of a product is no larger than a phone shows it', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  const html = await (await fetch(`${site.url}/shop/products/blue-hour-fine-art-print`)).text()
  const [large, ...thumbnails] = [...html.matchAll(/<img [^>]*srcSet="([^"]+)"/g)].map(([, set]) =>
    set!.split(', ').map((each) => each.split(' ')[1]),
  )
  expect(large).toEqual(['640w', '750w', '828w', '1080w', '1200w', '1920w'])
  expect(thumbnails.length).toBeGreaterThan(2)
  for (const widths of thumbnails) expect(widths.slice(0, 2)).toEqual(['320w', '480w'])
  // As wide as it says, rather than the next larger picture.
  const address = widthOf(/<img loading="lazy"[^>]+>/.exec(html)![0], 320)
  const thumbnail = await fetch(site.url + address.replaceAll('&amp;', '&'))
  const { width, height } = await sharp(await thumbnail.arrayBuffer()).metadata()
  expect([width, height]).toEqual([320, 400])
})

test('every picture further down the home page waits for the large one', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  const html = await (await fetch(`${site.url}/`)).text()
  const lazy = [...html.matchAll(/<img [^>]*loading="lazy"[^>]*>/g)].map(([image]) => image)
  expect(lazy.length).toBeGreaterThan(6)
  // The class whose pictures are held back until then.
  const [, held] = /class="(\S+_picture)"/.exec(lazy[0]!)!
  for (const image of lazy) expect(image).toContain(`class="${held}"`)
})
