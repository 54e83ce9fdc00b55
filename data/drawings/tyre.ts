/** A winter tyre, close enough to count its studs. */
import { blend, hex } from './frame.ts'
import { fbm, smooth } from './noise.ts'
import type { Solid } from './solid.ts'

/** A winter tyre lying across the picture: blocks, sipes and studs. Its axis is z. */
export function tyre(radius: number, half: number): Solid {
  const pattern = (x: number, y: number, z: number): { groove: number; stud: number } => {
    const a = Math.atan2(y, x) * 9
    const row = Math.abs(z) / half
    const v = (a + row * 1.5 + (z > 0 ? 0.5 : 0)) % 1
    const lug = Math.abs(((v + 1) % 1) - 0.5)
    const across = smooth(0.43, 0.475, lug)
    const rings = Math.max(
      smooth(0.05, 0.03, Math.abs(row - 0.33)),
      smooth(0.045, 0.025, Math.abs(row - 0.7)),
      smooth(0.035, 0.02, row),
    )
    const sipe =
      row > 0.04 && smooth(0.02, 0.008, Math.abs(((a * 3 + row * 5 + 400) % 1) - 0.5) * 0.5) * 0.22
    const cellA = ((a + row * 1.5 + (z > 0 ? 0.5 : 0) + 0.5 + 100) % 1) - 0.5
    const stud = Math.hypot(cellA * radius * 0.698, Math.abs(z) - half * (row > 0.52 ? 0.85 : 0.5))
    return { groove: Math.max(across, rings, sipe || 0), stud }
  }
  const distance = (x: number, y: number, z: number): number => {
    const r = Math.hypot(x, y)
    const crown = radius - 0.14 * (z / half) ** 4
    if (r > crown + 0.12) return r - crown - 0.08
    const { groove, stud } = pattern(x, y, z)
    const lift = groove * -0.055 + smooth(0.02, 0.014, stud) * 0.018
    return Math.max((r - crown - lift) * 0.6, Math.abs(z) - half)
  }
  return {
    min: [-radius - 0.1, -radius - 0.1, -half - 0.02],
    max: [radius + 0.1, radius + 0.1, half + 0.02],
    distance,
    look(x, y, z) {
      const { groove, stud } = pattern(x, y, z)
      if (stud < 0.019) return { base: hex('#8d95a0'), gloss: 0.45 }
      const frost = smooth(0.12, 0.5, fbm(x * 9 + y * 7, z * 9, 5, 4)) * (groove > 0.4 ? 0.85 : 0.2)
      return { base: blend(hex('#16171b'), hex('#aebdd0'), frost), gloss: 0.03 }
    },
  }
}
