/** A lens from the front: rings of coated glass, each with its own coloured ghost. */
import { bloom } from '../blur.ts'
import { bokeh, glow } from '../effects.ts'
import { type Frame, type Rgb, blend, each, fill, frame, hex } from '../frame.ts'
import { cell, noise, smooth } from '../noise.ts'
import { picture } from '../texture.ts'
import type { Scene } from './scene.ts'

async function lens(): Promise<Frame> {
  const f = frame(2400, 1600)
  const [cx, cy, size] = [1290, 815, 640]
  fill(f, (x, y) =>
    blend(hex('#07090d'), hex('#15202f'), smooth(1700, 200, Math.hypot(x - 400, y - 300))),
  )
  bokeh(f, 40, 36, (roll) => ({
    x: roll() * 2400,
    y: roll() * 1600,
    r: 20 + roll() * 70,
    colour: hex(roll() < 0.5 ? '#ff5a2a' : '#9cc6ef', 0.02 + roll() * 0.06),
  }))
  const scene = await picture('rally-snow-blue-hour', 1200, 800)
  each(f, (px, py, i) => {
    const dx = (px - cx) / size
    const dy = (py - cy) / size
    const r = Math.hypot(dx, dy)
    const a = Math.atan2(dy, dx)
    if (r > 1.32) return
    const edge = smooth(1.32, 1.312, r)
    let c: [number, number, number] = [0, 0, 0]
    const put = (colour: Rgb, k: number) => {
      for (let n = 0; n < 3; n++) c[n] += colour[n] * k
    }
    if (r > 0.82) {
      // The barrel: turned rings, a knurled grip, an orange line, light from both sides.
      const grip = r > 1.12 && r < 1.26 ? 0.55 + 0.45 * Math.sign(Math.sin(a * 110)) : 1
      const turned = 0.5 + 0.5 * Math.sin(r * 190)
      const left = Math.exp(-((Math.atan2(Math.sin(a + 2.5), Math.cos(a + 2.5)) / 0.5) ** 2))
      const right = Math.exp(-((Math.atan2(Math.sin(a - 0.35), Math.cos(a - 0.35)) / 0.35) ** 2))
      const step =
        smooth(0.012, 0, Math.abs(r - 1.11)) +
        smooth(0.012, 0, Math.abs(r - 1.27)) +
        smooth(0.014, 0, Math.abs(r - 0.835))
      put(hex('#15171c'), grip * (0.5 + 0.3 * turned))
      put(hex('#bcd8f5'), left * grip * (0.12 + 0.12 * turned + step * 0.7))
      put(hex('#ff8a50'), right * grip * (0.16 + 0.1 * turned + step * 0.8))
      if (Math.abs(r - 1.075) < 0.012) put(hex('#ff3a12'), 0.35 + left + right)
    } else {
      const bowl = Math.sqrt(Math.max(0, 1 - (r / 0.82) ** 2))
      put(hex('#04060b'), 1)
      // Inner rings slide against each other as the elements lie at different depths.
      for (const [n, ring] of [0.76, 0.62, 0.5, 0.4].entries()) {
        const rr = Math.hypot(dx + 0.02 * n, dy + 0.014 * n)
        const rim =
          Math.exp(-(((rr - ring) / 0.008) ** 2)) +
          0.35 * smooth(0.05, 0, ring - rr) * smooth(-0.002, 0.002, ring - rr)
        const shine =
          0.35 +
          0.65 * Math.max(0, Math.cos(a + 2.5)) ** 3 +
          0.5 * Math.max(0, Math.cos(a - 0.4)) ** 4
        put(n % 2 ? hex('#35506e') : hex('#27303e'), rim * shine * 0.9)
      }
      // Nine aperture blades.
      const ir = Math.hypot(dx + 0.07, dy + 0.05)
      const ia = Math.atan2(dy + 0.05, dx + 0.07)
      const blades = 0.2 / Math.cos(((ia + 20) % ((Math.PI * 2) / 9)) - Math.PI / 9)
      if (ir < 0.36) {
        const blade = Math.floor((ia + 20 + ir * 1.6) / ((Math.PI * 2) / 9))
        put(
          hex('#232b38'),
          smooth(blades, blades + 0.006, ir) *
            (0.25 + 0.5 * cell(blade, 1, 4)) *
            smooth(0.36, 0.3, ir),
        )
      }
      // What stands before the camera, small and bent, in the middle of the front element.
      const bend = 1 + 0.9 * r * r
      const mirror = scene(0.56 + dx * 0.66 * bend, 0.57 + dy * 0.95 * bend)
      put(mirror, 0.85 * smooth(0.78, 0.3, r))
      // Soft boxes reflected by coated surfaces: each coating throws its own tint.
      for (const [ox, oy, w, h, tint, k] of [
        [-0.34, -0.36, 0.2, 0.11, '#6fd0ff', 1.5],
        [-0.2, -0.24, 0.1, 0.06, '#b06aff', 0.9],
        [0.2, 0.26, 0.1, 0.055, '#38e0b0', 0.55],
        [0.36, 0.34, 0.19, 0.09, '#ff7a3a', 1.3],
        [0.08, 0.1, 0.05, 0.03, '#ffd27a', 0.7],
      ] as const) {
        const turn = -0.72
        const qx = (dx - ox) * Math.cos(turn) - (dy - oy) * Math.sin(turn)
        const qy =
          (dx - ox) * Math.sin(turn) +
          (dy - oy) * Math.cos(turn) +
          Math.sign(oy || 1) * -1.1 * qx * qx
        put(
          hex(tint),
          k * smooth(1.15, 0.75, Math.abs(qx) / w) * smooth(1.2, 0.7, Math.abs(qy) / h),
        )
      }
      put(hex('#7a3aff'), 0.1 * smooth(0.45, 0.8, r) * (0.5 + 0.5 * Math.cos(a - 1.2)))
      put(hex('#1f6ab0'), 0.12 * smooth(0.3, 0.8, r) * (0.5 + 0.5 * Math.cos(a + 2)))
      c = c.map((v) => v * (0.75 + 0.25 * bowl)) as [number, number, number]
    }
    const dust = 1 + 0.05 * noise(px / 3, py / 3, 3)
    for (let k = 0; k < 3; k++) f.rgb[i * 3 + k] += (c[k] * dust - f.rgb[i * 3 + k]) * edge
  })
  glow(f, 620, 380, 620, 420, hex('#6fb4ef', 0.06))
  bloom(f, 0.42, 0.8, 120)
  return f
}

export const lensReflections: Scene = {
  id: 'lens-reflections',
  paint: lens,
  grade: { exposure: 1.2, saturation: 1.06 },
}
