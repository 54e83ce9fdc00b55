import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Content } from '../content/source.ts'
import { isRaster } from '../http/media-types.ts'
import { transform } from '../content/assets/transform.ts'
import type { Draft, FileSet } from '../http/replies/cached-files.ts'
import { loadSharp } from '../images/sharp.ts'

const symbol = join(import.meta.dirname, '../../client/public/favicon.svg')
const share = { width: 1200, height: 630 } as const
const forADay = 'public, max-age=86400, stale-while-revalidate=604800'

const picture = (type: string, body: Buffer): Draft => ({
  type,
  body,
  cacheControl: forADay,
  shared: true,
})

/** The icons of the site in pixels, from its symbol; made once. */
export function iconFiles(): FileSet {
  const sizes = { '/icon-192.png': 192, '/icon-512.png': 512, '/apple-touch-icon.png': 180 }

  async function make() {
    const source = await readFile(symbol)
    const sharp = await loadSharp()
    const png = (size: number) =>
      sharp(source, { density: (72 * size) / 64 })
        .resize(size, size)
        .png({ compressionLevel: 9 })
        .toBuffer()
    const drafts = new Map<string, Draft>()
    for (const [path, size] of Object.entries(sizes)) {
      drafts.set(path, picture('image/png', await png(size)))
    }
    const small = await Promise.all(
      [16, 32, 48].map(async (size) => ({ size, png: await png(size) })),
    )
    drafts.set('/favicon.ico', picture('image/x-icon', ico(small)))
    return drafts
  }

  return {
    name: 'icons',
    paths: [...Object.keys(sizes), '/favicon.ico'],
    version: () => '',
    make,
    fallback: () => new Map(),
  }
}

/** An icon file around PNG images, which every browser of this century reads. */
function ico(images: readonly { size: number; png: Buffer }[]): Buffer {
  const header = Buffer.alloc(6 + 16 * images.length)
  header.writeUInt16LE(1, 2)
  header.writeUInt16LE(images.length, 4)
  let offset = header.length
  for (const [index, { size, png }] of images.entries()) {
    const at = 6 + 16 * index
    header.writeUInt8(size, at)
    header.writeUInt8(size, at + 1)
    header.writeUInt16LE(1, at + 4)
    header.writeUInt16LE(32, at + 6)
    header.writeUInt32LE(png.length, at + 8)
    header.writeUInt32LE(offset, at + 12)
    offset += png.length
  }
  return Buffer.concat([header, ...images.map(({ png }) => png)])
}

/**
 * /og-image.jpg (docs/contract.md, Limits and constants): the content service's `og-image` in the
 * size of social networks, or a drawing where there is none.
 */
export function shareFiles({
  content,
  log,
}: {
  content: Pick<Content, 'asset' | 'picture' | 'version'>
  log: Pick<Logger, 'warn'>
}): FileSet {
  const path = '/og-image.jpg'
  let made: { from: string; draft: Draft } | null = null

  async function make() {
    const original = await content.asset('og-image')
    const usable = original && isRaster(original.type) ? original : null
    const from = usable?.version ?? 'drawn'
    if (made?.from !== from) {
      const photo = usable && (await cut(usable))
      made = { from, draft: picture('image/jpeg', photo ?? (await drawn())) }
    }
    return new Map([[path, made.draft]])
  }

  async function cut(original: { path(): Promise<string> }): Promise<Buffer | null> {
    const { focal } = (await content.picture('og-image')) ?? { focal: [0.5, 0.5] as const }
    const wanted = { ...share, fit: 'cover', quality: 80, format: 'jpg' } as const
    return transform(await original.path(), wanted, focal).catch((err: unknown) => {
      log.warn({ asset: 'og-image', err }, 'image not generated, using the drawing')
      return null
    })
  }

  return {
    name: 'share image',
    paths: [path],
    version: () => String(content.version()),
    make,
    fallback: async () => new Map([[path, picture('image/jpeg', await drawn())]]),
  }
}

/** The symbol at blue hour over a kerb; without letters, since a server may have no fonts. */
async function drawn(): Promise<Buffer> {
  const sharp = await loadSharp()
  const inner = (await readFile(symbol, 'utf8')).replace(/<\/?svg[^>]*>/g, '')
  const stripes = Array.from({ length: 14 }, (_, at) => {
    const x = at * 96 - 24
    return `<path fill="${at % 2 ? '#f4f1ea' : '#ff4d23'}" d="M${x} 630l24-44h96l-24 44z"/>`
  }).join('')
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${share.width}" height="${share.height}">
<defs><radialGradient id="dusk" cx="72%" cy="20%" r="90%"><stop offset="0" stop-color="#274862"/><stop offset=".55" stop-color="#12202c"/><stop offset="1" stop-color="#0b0d10"/></radialGradient></defs>
<rect width="1200" height="630" fill="url(#dusk)"/>
<g transform="translate(376 68) scale(7)">${inner.replace(/<path[^>]*d="M0 0h64v64H0z"\/>/, '')}</g>
${stripes}
</svg>`
  return sharp(Buffer.from(svg)).flatten({ background: '#0b0d10' }).jpeg({ quality: 86 }).toBuffer()
}
