/** Bodywork close enough that the livery becomes pure shape. */
import { bloom, blur } from '../blur.ts'
import { type Frame, type Rgb, blend, each, fill, frame, hex, times } from '../frame.ts'
import { coupe } from '../garage.ts'
import { cell, smooth } from '../noise.ts'
import { type World, ground, solids } from '../shoot.ts'
import { place } from '../solid.ts'
import { view } from '../view.ts'
import type { Scene } from './scene.ts'

async function livery(): Promise<Frame> {
  const f = frame(2400, 1600)
  fill(f, (x) => blend(hex('#07090d'), hex('#161d29'), x / 2400))
  const signal = hex('#ff3208')
  const bands = (x: number, y: number, z: number): Rgb => {
    const u = x * 0.8 + y * 1.25 + Math.abs(z) * 0.15
    const edges = [
      [-9, '#0b0d10'],
      [0.62, '#e9eef2'],
      [0.7, '#0b0d10'],
      [0.76, ''],
      [1.16, '#0b0d10'],
      [1.2, '#7fb9d8'],
      [1.27, '#0b0d10'],
      [1.5, ''],
      [1.62, '#0b0d10'],
      [1.68, ''],
      [1.72, '#0b0d10'],
    ] as const
    let colour: Rgb = hex('#0b0d10')
    for (const [from, tone] of edges) if (u > from) colour = tone === '' ? signal : hex(tone)
    const flake = cell((x * 900) | 0, (y * 900) | 0, (z * 900) | 0)
    return times(colour, 0.94 + 0.12 * flake)
  }
  const v = view(f, [2.2, 0.98, 2.75], [0.42, 0.62, 0.75], 27, -7)
  const car = place(coupe({ paint: bands }), [0, 0, 0])
  const world: World = {
    env: (x, y, z) => {
      const strip =
        smooth(0.09, 0.05, Math.abs(y - 0.36 - x * 0.16)) +
        smooth(0.05, 0.025, Math.abs(y - 0.66 - x * 0.1)) * 0.8
      return blend(
        y > 0 ? hex('#121a28') : hex('#0a0b0e'),
        hex('#eaf3ff', 5),
        Math.min(1, strip) * smooth(-0.4, 0.2, z),
      )
    },
    above: hex('#9fb4d4', 0.75),
    below: hex('#1a1b20'),
    sun: { toward: [-0.4, 0.6, 0.69], colour: hex('#ffe2c8', 0.8) },
    lamps: [{ at: [-1.5, 1.2, 2.6], colour: hex('#ff8a55', 1.6), reach: 1.2 }],
  }
  ground(f, v, world, () => ({ base: hex('#0d0f13'), gloss: 0.06 }), [car])
  solids(f, v, world, [car])
  const soft = blur({ ...f, rgb: f.rgb.slice() }, 11)
  each(f, (x, _y, i) => {
    const t = Math.max(smooth(500, 60, x), smooth(2050, 2400, x))
    for (let k = 0; k < 3; k++) f.rgb[i * 3 + k] += (soft.rgb[i * 3 + k] - f.rgb[i * 3 + k]) * t
  })
  bloom(f, 0.3, 0.95, 110)
  return f
}

export const liveryStripes: Scene = {
  id: 'livery-stripes',
  paint: livery,
  grade: { exposure: 1, saturation: 1.08 },
}
