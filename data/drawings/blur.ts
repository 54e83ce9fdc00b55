/** Blurs and their uses: depth of field, motion, bloom. Three box passes stand in for a Gaussian. */
import type { Frame, Mask } from './frame.ts'

/** One box pass along rows or columns; cost does not grow with the radius. */
function box(
  from: Float32Array,
  to: Float32Array,
  w: number,
  h: number,
  step: number,
  radius: number,
  across: boolean,
) {
  const lines = across ? h : w
  const length = across ? w : h
  const next = (across ? 1 : w) * step
  for (let line = 0; line < lines; line++) {
    for (let k = 0; k < step; k++) {
      const start = line * (across ? w : 1) * step + k
      const last = start + (length - 1) * next
      let sum = from[start] * (radius + 1)
      for (let i = 1; i <= radius; i++) sum += from[Math.min(start + i * next, last)]
      for (let i = 0, at = start; i < length; i++, at += next) {
        to[at] = sum / (radius * 2 + 1)
        const ahead = at + (radius + 1) * next
        const behind = at - radius * next
        sum += from[ahead > last ? last : ahead] - from[behind < start ? start : behind]
      }
    }
  }
}

function passes(
  data: Float32Array,
  w: number,
  h: number,
  step: number,
  rx: number,
  ry: number,
): void {
  const spare = new Float32Array(data.length)
  for (const [radius, across] of [
    [rx, true],
    [ry, false],
  ] as const) {
    const r = Math.round(radius * 0.6)
    if (r < 1) continue
    box(data, spare, w, h, step, r, across)
    box(spare, data, w, h, step, r, across)
    box(data, spare, w, h, step, r, across)
    data.set(spare)
  }
}

/** Blurs in place; radii in full-size units, different ones give motion blur. */
export function blur(f: Frame, rx: number, ry = rx): Frame {
  passes(f.rgb, f.w, f.h, 3, rx * f.scale, ry * f.scale)
  return f
}

export function blurMask(f: Frame, m: Mask, rx: number, ry = rx): Mask {
  passes(m, f.w, f.h, 1, rx * f.scale, ry * f.scale)
  return m
}

/** Light spilling in the lens: a narrow and a wide veil of everything brighter than the threshold. */
export function bloom(f: Frame, strength = 0.35, threshold = 0.8, wide = 90): void {
  const bright = new Float32Array(f.rgb.length)
  for (let i = 0; i < bright.length; i += 3) {
    const peak = Math.max(f.rgb[i], f.rgb[i + 1], f.rgb[i + 2])
    if (peak <= threshold) continue
    // Very hot lights would flood the frame: past a point only the area counts.
    const keep = Math.min(peak - threshold, 6) / peak
    for (let k = 0; k < 3; k++) bright[i + k] = f.rgb[i + k] * keep
  }
  for (const [radius, share] of [
    [wide / 7, 0.5],
    [wide / 2, 0.35],
    [wide, 0.35],
  ] as const) {
    const veil = bright.slice()
    passes(veil, f.w, f.h, 3, radius * f.scale, radius * f.scale)
    for (let i = 0; i < veil.length; i++) f.rgb[i] += veil[i] * share * strength
  }
}

/** The lit edge of a silhouette: where the mask ends towards (dx, dy). */
export function rim(f: Frame, m: Mask, dx: number, dy: number, soft: number): Mask {
  const edge = new Float32Array(m.length)
  const sx = Math.round(dx * f.scale)
  const sy = Math.round(dy * f.scale)
  for (let y = 0; y < f.h; y++) {
    for (let x = 0; x < f.w; x++) {
      const ox = Math.min(f.w - 1, Math.max(0, x + sx))
      const oy = Math.min(f.h - 1, Math.max(0, y + sy))
      edge[y * f.w + x] = Math.max(0, m[y * f.w + x] - m[oy * f.w + ox])
    }
  }
  blurMask(f, edge, soft)
  for (let i = 0; i < edge.length; i++) edge[i] *= m[i]
  return edge
}
