/** A driver's helmet. */
import { type Rgb, hex } from './frame.ts'
import { type Solid, brick, cap, drum, egg, join } from './solid.ts'
import { black } from './things.ts'

/** A full-face helmet looking along +x. */
export function helmet(primary: Rgb, second: Rgb): Solid {
  const shell = (x: number, y: number, z: number): number => {
    let d = egg(x + 0.02, y - 0.06, z, 0.36, 0.37, 0.3)
    d = join(d, egg(x - 0.2, y + 0.14, z, 0.24, 0.17, 0.22), 0.12)
    d = cap(d, -(y + 0.33 + x * 0.1), 0.05)
    return join(d, brick(x + 0.42, y - 0.12, z, 0.05, 0.015, 0.12, 0.012), 0.05)
  }
  const opening = (x: number, y: number, z: number): number =>
    Math.max(Math.abs(y - 0.075 - x * 0.02) - 0.125 + Math.abs(z) * 0.1, -x - 0.02)
  const visor = (x: number, y: number, z: number): number =>
    cap(shell(x, y, z) - 0.012, opening(x, y, z), 0.02)
  const distance = (x: number, y: number, z: number): number => {
    const d = Math.min(shell(x, y, z), visor(x, y, z))
    const pivot = drum(Math.hypot(x - 0.02, y - 0.08), Math.abs(z) - 0.3, 0.05, 0.015, 0.006)
    return Math.min(d, pivot)
  }
  return {
    min: [-0.5, -0.42, -0.36],
    max: [0.52, 0.48, 0.36],
    distance,
    look(x, y, z) {
      if (visor(x, y, z) < 0.004 && opening(x, y, z) < -0.006) {
        const strip = y > 0.155 + x * 0.02
        return strip ? { base: second, gloss: 0.04 } : { base: hex('#020204'), gloss: 0.42 }
      }
      if (Math.abs(opening(x, y, z)) < 0.013) return { base: black, gloss: 0.04 }
      const u = Math.abs(z) + (y - 0.2) * 0.25
      if (u < 0.05) return { base: second, gloss: 0.07 }
      if (u < 0.075) return { base: black, gloss: 0.07 }
      if (y < -0.08 - x * 0.35) return { base: black, gloss: 0.07 }
      if (y < -0.04 - x * 0.35) return { base: second, gloss: 0.07 }
      return { base: primary, gloss: 0.08 }
    },
  }
}
