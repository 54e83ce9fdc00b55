/** The film crew's camera. */
import { hex, times } from './frame.ts'
import { type Solid, brick, drum, rod } from './solid.ts'
import type { Texture } from './texture.ts'
import { black } from './things.ts'

/** A cinema camera: body, lens with matte box, monitor on an arm, handle and battery. */
export function cinema(show: Texture): Solid {
  const lens = (x: number, y: number, z: number): number => {
    const r = Math.hypot(y, z)
    const step = x < 0.42 ? 0.085 : x < 0.52 ? 0.1 : x < 0.66 ? 0.092 : 0.105
    const teeth = x > 0.44 && x < 0.5 ? 0.004 * Math.sin(Math.atan2(y, z) * 60) : 0
    return drum(r, x - 0.5, step + teeth, 0.25, 0.006) * 0.9
  }
  const matte = (x: number, y: number, z: number): number => {
    const outer = brick(x - 0.83, y, z, 0.09, 0.15, 0.19, 0.012)
    const hollow = brick(x - 0.88, y, z, 0.1, 0.125, 0.165, 0.01)
    return Math.min(
      Math.max(outer, -hollow),
      brick(x - 0.86 - (y - 0.15) * 0.9, y - 0.2, z, 0.11, 0.006, 0.19, 0.004),
    )
  }
  const panel = (x: number, y: number, z: number): number =>
    brick(x - 0.1, y - 0.36, z - 0.24, 0.2, 0.125, 0.015, 0.012)
  const rest = (x: number, y: number, z: number): number => {
    let d = brick(x, y - 0.01, z, 0.27, 0.16, 0.125, 0.018)
    d = Math.min(d, brick(x + 0.38, y - 0.01, z, 0.1, 0.13, 0.1, 0.015))
    d = Math.min(
      d,
      rod(x, y, z, [-0.2, 0.26, 0], [0.22, 0.28, 0], 0.026),
      rod(x, y, z, [0.2, 0.15, 0], [0.22, 0.28, 0], 0.02),
      rod(x, y, z, [-0.18, 0.15, 0], [-0.2, 0.26, 0], 0.02),
    )
    d = Math.min(d, rod(x, y, z, [0.1, 0.27, 0.02], [0.1, 0.3, 0.22], 0.013))
    d = Math.min(d, rod(x, y, Math.abs(z), [-0.3, -0.19, 0.075], [0.9, -0.19, 0.075], 0.012))
    d = Math.min(
      d,
      brick(x, y + 0.24, z, 0.16, 0.04, 0.1, 0.012),
      drum(Math.hypot(x, z), y + 0.34, 0.09, 0.07, 0.01),
    )
    d = Math.min(
      d,
      rod(x, y, z, [0, -0.4, 0], [0.5, -1.6, 0.4], 0.035),
      rod(x, y, z, [0, -0.4, 0], [-0.55, -1.6, 0.3], 0.035),
      rod(x, y, z, [0, -0.4, 0], [0, -1.6, -0.6], 0.035),
    )
    const knob = Math.min(
      drum(Math.hypot(x - 0.12, y - 0.02), z - 0.135, 0.025, 0.014, 0.004),
      drum(Math.hypot(x - 0.12, y + 0.08), z - 0.135, 0.018, 0.012, 0.004),
    )
    return Math.min(d, knob, brick(x + 0.08, y - 0.03, z - 0.126, 0.09, 0.06, 0.004, 0.003))
  }
  const distance = (x: number, y: number, z: number): number =>
    Math.min(lens(x, y, z), matte(x, y, z), panel(x, y, z), rest(x, y, z))
  return {
    min: [-0.6, -1.65, -0.65],
    max: [1.05, 0.55, 0.45],
    distance,
    look(x, y, z, nx, _ny, nz) {
      const d = distance(x, y, z) + 0.003
      if (panel(x, y, z) < d && nz > 0.7) {
        const u = (x + 0.085) / 0.37
        const v = (0.472 - y) / 0.224
        if (u > 0 && u < 1 && v > 0 && v < 1)
          return { base: black, gloss: 0.03, glow: times(show(u, v), 1.7) }
      }
      if (lens(x, y, z) < d) {
        if (nx > 0.8) return { base: hex('#06101c'), gloss: 0.3 }
        if (Math.abs(x - 0.545) < 0.008)
          return { base: hex('#ff3a12'), gloss: 0.05, glow: hex('#ff3a12', 0.15) }
        return { base: hex('#17181c'), gloss: 0.06 }
      }
      if (Math.hypot(x - 0.22, y - 0.11) < 0.012 && nz > 0.7)
        return { base: black, gloss: 0, glow: hex('#ff2008', 6) }
      if (z > 0.126 && Math.abs(x + 0.08) < 0.086 && Math.abs(y - 0.03) < 0.056)
        return {
          base: black,
          gloss: 0.05,
          glow: times(hex('#7fb9d8'), Math.abs(((y * 40 + 90) % 1) - 0.5) < 0.22 ? 0.5 : 0.06),
        }
      return { base: hex('#1c1e23'), gloss: 0.035 }
    },
  }
}
