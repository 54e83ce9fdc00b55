/** Pictures inside pictures: screens show what was drawn before them. */
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { type Rgb, hex } from './frame.ts'

/** Colour at u, v in 0..1, left to right and top to bottom. */
export type Texture = (u: number, v: number) => Rgb

const folder = process.env.DRAW_TO ?? join(import.meta.dirname, '../content/assets')

async function load(image: Sharp, width: number, height: number): Promise<Texture> {
  const raw = await image.resize(width, height, { fit: 'cover' }).removeAlpha().raw().toBuffer()
  const lut = Float32Array.from(
    { length: 256 },
    (_, i) => hex(`#0000${i.toString(16).padStart(2, '0')}`)[2],
  )
  return (u, v) => {
    const x = Math.min(width - 1.001, Math.max(0, u * width - 0.5))
    const y = Math.min(height - 1.001, Math.max(0, v * height - 0.5))
    const i = (Math.floor(y) * width + Math.floor(x)) * 3
    const [fx, fy] = [x % 1, y % 1]
    const at = (k: number): number => {
      const top = lut[raw[i + k]] * (1 - fx) + lut[raw[i + 3 + k]] * fx
      const low = lut[raw[i + width * 3 + k]] * (1 - fx) + lut[raw[i + width * 3 + 3 + k]] * fx
      return top * (1 - fy) + low * fy
    }
    return [at(0), at(1), at(2)]
  }
}

export async function picture(id: string, width = 960, height = 640): Promise<Texture> {
  return load(sharp(join(folder, `${id}.jpg`)), width, height)
}

/** A screen drawn as SVG elements, 0..width by 0..height, over an optional picture placed in it. */
export async function screen(
  elements: string,
  width: number,
  height: number,
  inset?: { id: string; x: number; y: number; w: number; h: number }[],
): Promise<Texture> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${elements}</svg>`
  const layers = await Promise.all(
    (inset ?? []).map(async ({ id, x, y, w, h }) => ({
      input: await sharp(join(folder, `${id}.jpg`))
        .resize(w, h, { fit: 'cover' })
        .toBuffer(),
      left: x,
      top: y,
    })),
  )
  const flat = await sharp({ create: { width, height, channels: 3, background: '#0b0d10' } })
    .composite([...layers, { input: Buffer.from(svg) }])
    .png()
    .toBuffer()
  return load(sharp(flat), width, height)
}
