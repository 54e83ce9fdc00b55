/** A single-seater and a kart, built from plain shapes because so little of them is bodywork. */
import { type Rgb, hex } from './frame.ts'
import { smooth } from './noise.ts'
import { type Look, type Solid, brick, carve, drum, egg, join, profile, rod } from './solid.ts'

const black = hex('#090a0d')
const rubber: Look = { base: hex('#141519'), gloss: 0.014 }
const carbon: Look = { base: black, gloss: 0.05 }
const rimLook: Look = { base: hex('#22252b'), gloss: 0.2 }

export function formula(
  primary: Rgb = hex('#ff3a12'),
  second: Rgb = hex('#e9eef2'),
  helmet: Rgb = hex('#f2a01c'),
): Solid {
  const spine = profile([
    [2.55, 0.3],
    [2.62, 0.36],
    [2.4, 0.46],
    [1.6, 0.58],
    [0.9, 0.68],
    [0.5, 0.7],
    [0.3, 0.62],
    [-0.25, 0.62],
    [-0.42, 0.95],
    [-0.62, 0.99],
    [-1.2, 0.8],
    [-2.1, 0.52],
    [-2.3, 0.42],
    [-2.2, 0.28],
    [-1, 0.14],
    [0, 0.1],
    [1, 0.14],
    [2, 0.26],
  ])
  const axles = [1.72, -1.72]
  const wheels = (x: number, y: number, z: number): number => {
    const i = x > 0 ? 0 : 1
    const r = Math.hypot(x - axles[i], y - 0.34)
    const along = Math.abs(z) - (i ? 0.78 : 0.8)
    const tyre = drum(r, along, 0.34, i ? 0.2 : 0.16, 0.05)
    return Math.max(tyre, -drum(r, along - (i ? 0.2 : 0.16), 0.225, 0.05, 0.01))
  }
  const hull = (x: number, y: number, z: number): number => {
    const a = Math.abs(z)
    const nose = 0.11 + 0.2 * smooth(2.6, 0.7, x)
    const width = x > 0.4 ? nose : 0.31 - 0.2 * smooth(0, -2.2, x) - 0.2 * smooth(0.6, 1, y)
    let d = Math.max(spine(x, y), (a - width) * 0.9)
    const pod = brick(
      x + 0.55,
      y - 0.38 + (x + 0.2) * -0.06,
      a - 0.46,
      0.85,
      0.2 - 0.06 * smooth(0, -1.4, x),
      0.26,
      0.11,
    )
    d = join(d, pod, 0.12)
    return carve(d, egg(x - 0.12, y - 0.78, z, 0.42, 0.26, 0.24), 0.04)
  }
  const wings = (x: number, y: number, z: number): number => {
    const a = Math.abs(z)
    let d = brick(x - 2.5 + a * 0.22, y - 0.14 - (2.4 - x) * 0.12, z, 0.2, 0.016, 0.92, 0.01)
    d = Math.min(d, brick(x - 2.3 + a * 0.2, y - 0.2 - (2.2 - x) * 0.4, z, 0.1, 0.012, 0.9, 0.01))
    d = Math.min(d, brick(x - 2.22, y - 0.2, a - 0.92, 0.24, 0.11, 0.012, 0.01))
    d = Math.min(d, brick(x + 2.3, y - 0.9 - (-2.2 - x) * 0.25, z, 0.19, 0.016, 0.5, 0.01))
    d = Math.min(d, brick(x + 2.42, y - 0.98 - (-2.4 - x) * 0.7, z, 0.08, 0.014, 0.5, 0.01))
    d = Math.min(d, brick(x + 2.3, y - 0.84, a - 0.5, 0.27, 0.17, 0.012, 0.01))
    d = Math.min(d, brick(x + 2.2, y - 0.62, z, 0.07, 0.28, 0.015, 0.01))
    return Math.min(d, brick(x + 0.2, y - 0.07, z, 1.7, 0.02, 0.66, 0.015))
  }
  const rods = (x: number, y: number, z: number): number => {
    const a = Math.abs(z)
    let d = rod(x, y, a, [1.9, 0.42, 0.16], [1.74, 0.42, 0.72], 0.016)
    d = Math.min(
      d,
      rod(x, y, a, [1.4, 0.44, 0.2], [1.7, 0.42, 0.72], 0.016),
      rod(x, y, a, [1.5, 0.22, 0.2], [1.72, 0.26, 0.72], 0.016),
    )
    d = Math.min(
      d,
      rod(x, y, a, [-1.3, 0.4, 0.2], [-1.7, 0.4, 0.7], 0.018),
      rod(x, y, a, [-1.95, 0.3, 0.15], [-1.74, 0.28, 0.7], 0.018),
    )
    // The halo: a hoop round the cockpit and its front pillar.
    const hoop =
      Math.hypot(Math.hypot((x + 0.02) * 0.72, z) - 0.33, y - 0.87 + (x - 0.2) * 0.05) - 0.028
    d = Math.min(d, Math.max(hoop, -x - 0.42))
    return Math.min(
      d,
      rod(x, y, z, [0.62, 0.66, 0], [0.44, 0.85, 0], 0.024),
      rod(x, y, a, [0.7, 0.66, 0.2], [0.66, 0.74, 0.42], 0.03),
    )
  }
  const head = (x: number, y: number, z: number): number =>
    egg(x + 0.05, y - 0.78, z, 0.15, 0.15, 0.13)
  const distance = (x: number, y: number, z: number): number =>
    Math.min(hull(x, y, z), wheels(x, y, z), wings(x, y, z), rods(x, y, z), head(x, y, z))
  return {
    min: [-2.75, -0.01, -1.05],
    max: [2.85, 1.2, 1.05],
    distance,
    look(x, y, z) {
      const d = distance(x, y, z) + 0.005
      if (wheels(x, y, z) < d) {
        const r = Math.hypot(x - axles[x > 0 ? 0 : 1], y - 0.34)
        if (Math.abs(r - 0.27) < 0.014) return { base: primary, gloss: 0.02 }
        return r < 0.225 ? rimLook : rubber
      }
      if (head(x, y, z) < d)
        return x > 0 && Math.abs(y - 0.79) < 0.05
          ? { base: black, gloss: 0.12 }
          : { base: helmet, gloss: 0.06 }
      if (rods(x, y, z) < d) return carbon
      if (wings(x, y, z) < d)
        return y > 0.6 && Math.abs(z) > 0.48 && y > 0.86 + (x + 2.3) * 0.3
          ? { base: second, gloss: 0.05 }
          : y > 0.6 || x > 2.05
            ? { base: primary, gloss: 0.05 }
            : carbon
      if (y < 0.26) return carbon
      const u = x + y * 1.4
      return { base: u < 0.5 && u > 0.28 ? second : u <= 0.28 ? black : primary, gloss: 0.06 }
    },
  }
}

export function kart(
  primary: Rgb = hex('#ff3a12'),
  suit: Rgb = hex('#e9eef2'),
  helmet: Rgb = hex('#f2a01c'),
): Solid {
  const wheels = (x: number, y: number, z: number): number => {
    const i = x > 0 ? 0 : 1
    return drum(
      Math.hypot(x - (i ? -0.52 : 0.52), y - (i ? 0.14 : 0.13)),
      Math.abs(z) - (i ? 0.56 : 0.5),
      i ? 0.14 : 0.13,
      i ? 0.1 : 0.065,
      0.03,
    )
  }
  const body = (x: number, y: number, z: number): number => {
    const a = Math.abs(z)
    let d = egg(x - 0.78, y - 0.16, z, 0.24, 0.1, 0.48)
    d = join(d, brick(x - 0.5, y - 0.3, z, 0.03, 0.16, 0.15, 0.03), 0.08)
    d = Math.min(d, brick(x, y - 0.13, a - 0.56, 0.38, 0.08, 0.08, 0.06))
    return Math.min(d, brick(x + 0.7, y - 0.16, z, 0.05, 0.07, 0.5, 0.04))
  }
  const frame = (x: number, y: number, z: number): number =>
    Math.min(
      brick(x, y - 0.07, z, 0.7, 0.02, 0.34, 0.01),
      brick(x + 0.3, y - 0.2, z - 0.34, 0.14, 0.13, 0.1, 0.03),
    )
  const driver = (x: number, y: number, z: number): number => {
    const a = Math.abs(z)
    let d = rod(x, y, z, [-0.28, 0.24, 0], [-0.36, 0.6, 0], 0.17)
    d = join(d, rod(x, y, a, [-0.33, 0.64, 0.17], [-0.1, 0.46, 0.27], 0.06), 0.06)
    d = join(d, rod(x, y, a, [-0.1, 0.46, 0.27], [0.18, 0.46, 0.13], 0.05), 0.03)
    d = join(d, rod(x, y, a, [-0.2, 0.2, 0.12], [0.22, 0.34, 0.16], 0.085), 0.05)
    return join(d, rod(x, y, a, [0.22, 0.34, 0.16], [0.55, 0.14, 0.14], 0.06), 0.04)
  }
  const head = (x: number, y: number, z: number): number =>
    egg(x + 0.34, y - 0.86, z, 0.15, 0.155, 0.13)
  const wheel = (x: number, y: number, z: number): number =>
    Math.hypot(Math.hypot((y - 0.45) * 1.3, z) - 0.14, x - 0.2 + (y - 0.45) * 0.4) - 0.018
  const distance = (x: number, y: number, z: number): number =>
    Math.min(
      wheels(x, y, z),
      body(x, y, z),
      frame(x, y, z),
      driver(x, y, z),
      head(x, y, z),
      wheel(x, y, z),
    )
  return {
    min: [-0.85, -0.01, -0.75],
    max: [1.1, 1.1, 0.75],
    distance,
    look(x, y, z) {
      const d = distance(x, y, z) + 0.005
      if (wheels(x, y, z) < d) return rubber
      if (head(x, y, z) < d)
        return x > -0.3 && Math.abs(y - 0.87) < 0.055
          ? { base: black, gloss: 0.12 }
          : { base: Math.abs(z) < 0.035 ? suit : helmet, gloss: 0.07 }
      if (driver(x, y, z) < d)
        return { base: y > 0.5 && Math.abs(z) > 0.13 ? primary : suit, gloss: 0.01 }
      if (body(x, y, z) < d) return { base: primary, gloss: 0.06 }
      return carbon
    },
  }
}
