/** Things in the air: flares, dust, bokeh, beams, flying bits. */
import { type Frame, type Mask, type Rgb, each, light, mask, vector } from './frame.ts'
import { billow, cell, dice, fbm, smooth } from './noise.ts'

/** A lamp that looks into the lens: core, halo, six faint rays and a horizontal streak. */
export function flare(
  f: Frame,
  x: number,
  y: number,
  size: number,
  colour: Rgb,
  streak = 1,
  rays = 1,
): void {
  const reach = size * 26
  const [x0, x1] = [
    Math.max(0, ((x - reach * 1.6) * f.scale) | 0),
    Math.min(f.w, ((x + reach * 1.6) * f.scale) | 0),
  ]
  const [y0, y1] = [
    Math.max(0, ((y - reach) * f.scale) | 0),
    Math.min(f.h, ((y + reach) * f.scale) | 0),
  ]
  for (let j = y0; j < y1; j++) {
    for (let i = x0; i < x1; i++) {
      const dx = (i / f.scale - x) / size
      const dy = (j / f.scale - y) / size
      const r2 = dx * dx + dy * dy
      const r = Math.sqrt(r2)
      const edge = smooth(26, 12, r)
      let v = 3 * Math.exp(-r2 * 0.9) + (0.5 / (1 + r2 * 0.35)) * edge
      const spoke = Math.abs(Math.cos(Math.atan2(dy, dx) * 3 + 0.5)) ** 60
      v += (rays * 0.16 * spoke * edge) / (1 + r * 0.3)
      v +=
        streak *
        0.3 *
        Math.exp(-dy * dy * 7) *
        Math.exp(-Math.abs(dx) * 0.11) *
        smooth(41, 20, Math.abs(dx))
      if (v < 0.0005) continue
      const at = (j * f.w + i) * 3
      for (let k = 0; k < 3; k++) f.rgb[at + k] += colour[k] * v
    }
  }
}

/** Dust, smoke or powder snow within a shape of 0..1; the noise eats the shape's edge. */
export function plume(
  f: Frame,
  shape: (x: number, y: number) => number,
  size: number,
  seed: number,
  stretch = 1,
  octaves = 6,
): Mask {
  return mask(f, (x, y) => {
    const s = shape(x, y)
    if (s <= 0.01) return 0
    const b = billow(x / size / stretch, y / size, octaves, seed)
    return smooth(0.62 - s * 0.75, 1.12 - s * 0.55, b) * Math.min(1, s * 1.6)
  })
}

/** An ellipse that fades from its middle; the usual shape of a plume. */
export function puff(
  cx: number,
  cy: number,
  rx: number,
  ry: number,
): (x: number, y: number) => number {
  return (x, y) => Math.max(0, 1 - ((x - cx) / rx) ** 2 - ((y - cy) / ry) ** 2)
}

export const sum =
  (...shapes: ((x: number, y: number) => number)[]) =>
  (x: number, y: number): number =>
    Math.min(
      1,
      shapes.reduce((total, shape) => total + shape(x, y), 0),
    )

/** Out-of-focus lights: discs a little brighter at the edge. */
export function bokeh(
  f: Frame,
  seed: number,
  count: number,
  place: (roll: () => number) => { x: number; y: number; r: number; colour: Rgb },
): void {
  const roll = dice(seed)
  for (let n = 0; n < count; n++) {
    const { x, y, r, colour } = place(roll)
    const reach = r + 3
    for (
      let j = Math.max(0, ((y - reach) * f.scale) | 0);
      j < Math.min(f.h, (y + reach) * f.scale);
      j++
    ) {
      for (
        let i = Math.max(0, ((x - reach) * f.scale) | 0);
        i < Math.min(f.w, (x + reach) * f.scale);
        i++
      ) {
        const d = Math.hypot(i / f.scale - x, j / f.scale - y) / r
        const v = smooth(1.02, 0.94, d) * (0.72 + 0.4 * d ** 6)
        if (v > 0) for (let k = 0; k < 3; k++) f.rgb[(j * f.w + i) * 3 + k] += colour[k] * v
      }
    }
  }
}

/** Small bright bits in the air: snow, gravel, water; each drawn out along its flight. */
export async function bits(
  f: Frame,
  seed: number,
  count: number,
  at: (roll: () => number) => {
    x: number
    y: number
    size: number
    dx: number
    dy: number
    alpha: number
  },
): Promise<Mask> {
  const roll = dice(seed)
  const lines = Array.from({ length: count }, () => {
    const b = at(roll)
    return `<path d="M${b.x.toFixed(1)} ${b.y.toFixed(1)}l${b.dx.toFixed(1)} ${b.dy.toFixed(1)}" stroke-width="${b.size.toFixed(1)}" stroke-opacity="${b.alpha.toFixed(2)}"/>`
  })
  return vector(f, `<g stroke="#fff" stroke-linecap="round" fill="none">${lines.join('')}</g>`)
}

/** A beam through haze from (x, y) towards an angle, in degrees. */
export function beam(
  f: Frame,
  x: number,
  y: number,
  angle: number,
  spread: number,
  reach: number,
  colour: Rgb,
  seed = 1,
): void {
  const a = (angle * Math.PI) / 180
  each(f, (px, py, i) => {
    const along = (px - x) * Math.cos(a) + (py - y) * Math.sin(a)
    if (along < 4) return
    const across = ((py - y) * Math.cos(a) - (px - x) * Math.sin(a)) / (8 + along * spread)
    if (Math.abs(across) > 2.6) return
    const smoke = 0.75 + 0.6 * fbm(px / 260, py / 200, 3, seed)
    const v = Math.exp(-across * across * 1.3) * Math.exp(-along / reach) * smoke
    for (let k = 0; k < 3; k++) f.rgb[i * 3 + k] += colour[k] * v
  })
}

/** A streaked background, as when the camera follows a car: rows of stretched noise in the given colours. */
export function streaks(
  f: Frame,
  top: number,
  bottom: number,
  colour: (v: number, t: number) => Rgb,
  seed: number,
): void {
  each(f, (x, y, i) => {
    if (y < top || y > bottom) return
    const t = (y - top) / (bottom - top)
    const v = 0.5 + fbm(x / 1500, y / 26, 4, seed) + 0.25 * (cell(0, (y * f.scale) | 0, seed) - 0.5)
    const c = colour(Math.min(1, Math.max(0, v)), t)
    for (let k = 0; k < 3; k++) f.rgb[i * 3 + k] = c[k]
  })
}

/** Adds a soft oval of light. */
export function glow(f: Frame, x: number, y: number, rx: number, ry: number, colour: Rgb): void {
  light(
    f,
    mask(f, (px, py) => Math.exp(-(((px - x) / rx) ** 2) - ((py - y) / ry) ** 2)),
    colour,
  )
}
