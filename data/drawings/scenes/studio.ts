/** Light for close-ups: what shiny things mirror when they are photographed indoors. */
import { type Rgb, blend, hex } from '../frame.ts'
import { smooth } from '../noise.ts'
import type { World } from '../shoot.ts'

/** A light tent: long panels in two colours, dark elsewhere. */
export const tent =
  (cool: Rgb, warm: Rgb) =>
  (x: number, y: number, z: number): Rgb => {
    const top = smooth(0.42, 0.55, y) * smooth(0.95, 0.8, y) * smooth(0.5, 0.3, Math.abs(x + 0.2))
    const side = smooth(0.75, 0.9, -x) * smooth(0.55, 0.3, Math.abs(y - 0.1))
    const rightEdge =
      smooth(0.55, 0.8, x) * smooth(0.1, 0.05, Math.abs(y - 0.22)) * smooth(0.9, 0.5, Math.abs(z))
    const base = y > 0 ? hex('#0c1422', 0.9) : hex('#08090c')
    return [0, 1, 2].map(
      (k) => base[k] + cool[k] * (top + rightEdge) + warm[k] * side,
    ) as unknown as Rgb
  }

const room = (x: number, y: number, z: number): Rgb => {
  const tube = smooth(0.12, 0.06, Math.abs(y - 0.5)) * smooth(0, 0.4, z)
  return blend(
    y > 0 ? hex('#0b1220', 0.9) : hex('#07080b'),
    blend(hex('#cfe4ff', 2.4), hex('#ff7a40', 2.4), smooth(0.3, -0.3, x)),
    tube,
  )
}

export const dim: World = {
  env: room,
  above: hex('#56688a', 0.3),
  below: hex('#0c0c0f'),
  lamps: [
    { at: [-2.5, 2, 2], colour: hex('#ff7a45', 1.6), reach: 2 },
    { at: [3, 2.2, 1.5], colour: hex('#a9d0ff', 2), reach: 2 },
  ],
}
