import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { loadSharp } from './sharp.ts'

/** The face of the agency, from a file, since a server need not have any font. */
const font = join(
  dirname(createRequire(import.meta.url).resolve('@expo-google-fonts/archivo/package.json')),
  '700Bold/Archivo_700Bold.ttf',
)

/** Degrees by which the words rise. */
const rise = 24

/** Characters of a name at most. */
const maxLength = 40

/**
 * A tile for the proofs of pictures: a name, rising, light with a dark edge so that it shows on
 * everything; laid side by side over a picture of a size it covers all of it.
 * @param name such as that of the agency
 * @param size of the picture in pixels; the tile is never larger
 * @returns a PNG
 */
export async function watermarkTile(
  name: string,
  { width, height }: { width: number; height: number },
): Promise<Buffer> {
  const sharp = await loadSharp()
  const short = name.replaceAll(/\s+/g, ' ').trim().slice(0, maxLength) || '©'
  const shorter = Math.min(width, height)
  // A letter is about six tenths of its size wide; the tile, with its margins, has to fit.
  const letter = Math.max(4, Math.floor(Math.min(shorter / 11, shorter / (short.length * 0.85))))
  const words = (colour: string) =>
    sharp({
      text: {
        text: `<span foreground="${colour}">${escaped(short)}</span>`,
        fontfile: font,
        font: `Archivo Bold ${letter}`,
        rgba: true,
        // Points are pixels then.
        dpi: 72,
      },
    })
      .png()
      .toBuffer()
  const [light, dark] = await Promise.all([words('#ffffff80'), words('#00000059')])
  const size = await sharp(light).metadata()
  const edge = Math.max(1, Math.round(letter / 24))
  const pair = await sharp({
    create: {
      width: size.width + edge,
      height: size.height + edge,
      channels: 4,
      background: clear,
    },
  })
    .composite([
      { input: dark, left: edge, top: edge },
      { input: light, left: 0, top: 0 },
    ])
    .png()
    .toBuffer()
  const risen = await sharp(pair).rotate(-rise, { background: clear }).png().toBuffer()
  const space = Math.round(letter * 0.6)
  const spaced = await sharp(risen)
    .extend({ top: space, bottom: space, left: space, right: space, background: clear })
    .png()
    .toBuffer()
  // A picture smaller than any letter still takes a tile.
  return sharp(spaced)
    .resize({ width, height, fit: 'inside', withoutEnlargement: true })
    .png()
    .toBuffer()
}

const clear = { r: 0, g: 0, b: 0, alpha: 0 }

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
