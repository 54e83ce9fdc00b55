/**
 * A picture in linear light. Lights may be far brighter than white: bloom and the film curve need that headroom,
 * which is why scenes are not composed from 8-bit layers.
 */
import sharp from 'sharp'

export type Rgb = readonly [number, number, number]

/** Drafts are drawn smaller; every coordinate and radius is given in full-size units. */
const draft = Number(process.env.DRAW_SCALE ?? 1)

export interface Frame {
  /** Pixels. */
  readonly w: number
  readonly h: number
  /** Pixels per full-size unit. */
  readonly scale: number
  /** Interleaved red, green, blue. */
  readonly rgb: Float32Array
}

/** One channel of coverage, 0..1 or brighter. */
export type Mask = Float32Array

export function frame(width: number, height: number): Frame {
  const w = Math.round(width * draft)
  const h = Math.round(height * draft)
  return { w, h, scale: draft, rgb: new Float32Array(w * h * 3) }
}

const decode = (v: number): number => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)

/** '#rrggbb' to linear light, times a gain. */
export function hex(text: string, gain = 1): Rgb {
  const n = Number.parseInt(text.slice(1), 16)
  return [
    decode((n >> 16) / 255) * gain,
    decode(((n >> 8) & 255) / 255) * gain,
    decode((n & 255) / 255) * gain,
  ]
}

export function blend(a: Rgb, b: Rgb, t: number): Rgb {
  return [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t]
}

export const times = (a: Rgb, k: number): Rgb => [a[0] * k, a[1] * k, a[2] * k]

/** A gradient through stops of [position, colour]. */
export function ramp(stops: readonly (readonly [number, Rgb])[]): (t: number) => Rgb {
  return (t) => {
    let before = stops[0]
    for (const stop of stops) {
      if (stop[0] >= t) {
        const span = stop[0] - before[0]
        return span > 0 ? blend(before[1], stop[1], (t - before[0]) / span) : stop[1]
      }
      before = stop
    }
    return before[1]
  }
}

/** Fills the frame from a function of full-size coordinates. */
export function fill(f: Frame, colour: (x: number, y: number) => Rgb): void {
  each(f, (x, y, i) => {
    const c = colour(x, y)
    f.rgb[i * 3] = c[0]
    f.rgb[i * 3 + 1] = c[1]
    f.rgb[i * 3 + 2] = c[2]
  })
}

export function each(f: Frame, visit: (x: number, y: number, index: number) => void): void {
  for (let j = 0; j < f.h; j++)
    for (let i = 0; i < f.w; i++) visit(i / f.scale, j / f.scale, j * f.w + i)
}

export function mask(f: Frame, value: (x: number, y: number) => number): Mask {
  const m = new Float32Array(f.w * f.h)
  each(f, (x, y, i) => (m[i] = value(x, y)))
  return m
}

type Paint = Rgb | ((x: number, y: number) => Rgb)
const paint = (p: Paint, x: number, y: number): Rgb => (typeof p === 'function' ? p(x, y) : p)

/** Covers the frame where the mask is. */
export function over(f: Frame, m: Mask, colour: Paint, opacity = 1): void {
  each(f, (x, y, i) => {
    const a = Math.min(1, m[i] * opacity)
    if (a <= 0) return
    const c = paint(colour, x, y)
    for (let k = 0; k < 3; k++) f.rgb[i * 3 + k] += (c[k] - f.rgb[i * 3 + k]) * a
  })
}

/** Adds light where the mask is. */
export function light(f: Frame, m: Mask, colour: Paint, gain = 1): void {
  each(f, (x, y, i) => {
    if (m[i] <= 0) return
    const c = paint(colour, x, y)
    for (let k = 0; k < 3; k++) f.rgb[i * 3 + k] += c[k] * m[i] * gain
  })
}

/** Rasterises SVG elements written in full-size units; the coverage becomes a mask. */
export async function vector(f: Frame, elements: string): Promise<Mask> {
  const raw = await raster(f, elements)
  const m = new Float32Array(f.w * f.h)
  for (let i = 0; i < m.length; i++) m[i] = raw[i * 4 + 3] / 255
  return m
}

async function raster(f: Frame, elements: string): Promise<Buffer> {
  const box = `viewBox="0 0 ${f.w / f.scale} ${f.h / f.scale}"`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${f.w}" height="${f.h}" ${box}>${elements}</svg>`
  return sharp(Buffer.from(svg), { limitInputPixels: false, unlimited: true })
    .ensureAlpha()
    .raw()
    .toBuffer()
}
