/** The tread of a studded winter tyre, lit from two sides. */
import { bloom, blur, blurMask } from '../blur.ts'
import { bits, bokeh } from '../effects.ts'
import { type Frame, blend, each, fill, frame, hex, light } from '../frame.ts'
import { smooth } from '../noise.ts'
import { type World, solids } from '../shoot.ts'
import { place } from '../solid.ts'
import { tyre } from '../tyre.ts'
import { view } from '../view.ts'
import type { Scene } from './scene.ts'
import { tent } from './studio.ts'

async function tread(): Promise<Frame> {
  const f = frame(2400, 1600)
  fill(f, (x) => blend(hex('#05070c'), hex('#0e1a2c'), smooth(0, 2400, x)))
  bokeh(f, 16, 34, (roll) => ({
    x: roll() * 2400,
    y: roll() * 700,
    r: 20 + roll() * 60,
    colour: hex(roll() < 0.4 ? '#ff5a2a' : '#8fc4ef', 0.03 + roll() * 0.1),
  }))
  const v = view(f, [2.35, 1.25, 0.85], [0.72, 0.34, -0.04], 27, -14)
  const wheel = place(tyre(1, 0.62), [0, 0, 0], 0)
  const world: World = {
    env: tent(hex('#bfe0ff', 2.4), hex('#ff6a35', 2.6)),
    above: hex('#4d6688', 0.28),
    below: hex('#0a0b0e'),
    sun: { toward: [-0.1, 0.72, -0.69], colour: hex('#ff7a45', 2.6) },
    lamps: [{ at: [1.3, -0.7, 1.5], colour: hex('#a9d4ff', 5), reach: 1 }],
  }
  solids(f, v, world, [wheel])
  const soft = blur({ ...f, rgb: f.rgb.slice() }, 12)
  each(f, (_x, y, i) => {
    const t = Math.max(smooth(430, 120, y), smooth(1250, 1600, y)) * 0.95
    for (let k = 0; k < 3; k++) f.rgb[i * 3 + k] += (soft.rgb[i * 3 + k] - f.rgb[i * 3 + k]) * t
  })
  const snow = await bits(f, 3, 160, (roll) => ({
    x: roll() * 2400,
    y: roll() * 1600,
    size: 1.5 + roll() ** 4 * 9,
    dx: roll() * 8,
    dy: -roll() * 6,
    alpha: 0.2 + roll() * 0.6,
  }))
  light(f, blurMask(f, snow, 2.2), hex('#dcebff', 0.7))
  bloom(f, 0.35, 0.9, 110)
  return f
}

export const tyreTread: Scene = {
  id: 'tyre-tread',
  paint: tread,
  grade: { exposure: 1.45, saturation: 1.06 },
}
