/** Objects of the trade: a microphone, and slabs that show pictures. */
import { type Rgb, hex, times } from './frame.ts'
import { type Look, type Solid, brick, cap, drum } from './solid.ts'
import type { Texture } from './texture.ts'

export const black = hex('#08090c')

/** A hand microphone standing upright, with a plain coloured station cube. */
export function microphone(cube: Rgb | null): Solid {
  const head = (x: number, y: number, z: number): number =>
    Math.hypot(x, (y - 0.3) * 0.86, z) - 0.062
  const body = (x: number, y: number, z: number): number => {
    const t = (y + 0.1) / 0.36
    return Math.min(
      drum(Math.hypot(x, z), y - 0.02, 0.026 + 0.012 * Math.max(0, t), 0.22, 0.01) * 0.9,
      drum(Math.hypot(x, z), y - 0.245, 0.06, 0.014, 0.006),
    )
  }
  const flag = (x: number, y: number, z: number): number =>
    cube ? brick(x, y - 0.12, z, 0.058, 0.058, 0.058, 0.008) : 9
  return {
    min: [-0.09, -0.22, -0.09],
    max: [0.09, 0.38, 0.09],
    distance: (x, y, z) => Math.min(head(x, y, z), body(x, y, z), flag(x, y, z)),
    look(x, y, z) {
      if (cube && flag(x, y, z) < 0.003) return { base: cube, gloss: 0.04 }
      if (head(x, y, z) < 0.003) {
        const a = Math.atan2(z, x)
        const mesh = Math.min(
          Math.abs(Math.sin(a * 26 + y * 190)),
          Math.abs(Math.sin(a * 26 - y * 190)),
        )
        return {
          base: times(hex('#8b929c'), mesh < 0.35 ? 1 : 0.12),
          gloss: mesh < 0.35 ? 0.28 : 0.01,
        }
      }
      return { base: hex('#141519'), gloss: 0.05 }
    },
  }
}

/** A thin upright slab whose front (+z) glows with a picture: phone, monitor, poster. */
export function slab(
  width: number,
  height: number,
  round: number,
  show: Texture,
  gain: number,
  bezel: number,
  edge: Look = { base: hex('#15171b'), gloss: 0.12 },
): Solid {
  const outline = (x: number, y: number): number => {
    const qx = Math.abs(x) - width / 2 + round
    const qy = Math.abs(y) - height / 2 + round
    return Math.hypot(Math.max(qx, 0), Math.max(qy, 0)) + Math.min(Math.max(qx, qy), 0) - round
  }
  return {
    min: [-width / 2 - 0.01, -height / 2 - 0.01, -0.05],
    max: [width / 2 + 0.01, height / 2 + 0.01, 0.05],
    distance: (x, y, z) => cap(outline(x, y), Math.abs(z) - 0.035, 0.02),
    look(x, y, _z, _nx, _ny, nz) {
      const inside = -outline(x, y) - bezel
      if (nz < 0.5 || inside < 0) return edge
      return {
        base: black,
        gloss: 0.035,
        glow: times(show(x / (width - bezel * 2) + 0.5, 0.5 - y / (height - bezel * 2)), gain),
      }
    },
  }
}
