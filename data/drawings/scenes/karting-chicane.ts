/** Three karts through a chicane, low sun across the track. */
import { bloom, blur } from '../blur.ts'
import { bokeh, glow } from '../effects.ts'
import { kart } from '../formula.ts'
import { type Frame, fill, frame, hex, ramp, times } from '../frame.ts'
import { fbm } from '../noise.ts'
import { type World, ground, solids } from '../shoot.ts'
import { place } from '../solid.ts'
import { forest } from '../trees.ts'
import { view } from '../view.ts'
import type { Scene } from './scene.ts'

async function karting(): Promise<Frame> {
  const f = frame(2400, 1600)
  const v = view(f, [3.3, 0.3, 1.5], [-0.7, 0.46, -0.1], 29, -4)
  const sky = ramp([
    [0, hex('#1d2c44')],
    [0.36, hex('#7a7f92')],
    [0.52, hex('#ffb873', 1.5)],
    [1, hex('#8a7f72')],
  ])
  fill(f, (_x, y) => sky(y / 1600))
  await forest(f, [
    { seed: 91, base: 790, low: 120, high: 300, gap: 30, colour: hex('#4d5f55', 0.8), soft: 16 },
  ])
  bokeh(f, 31, 46, (roll) => ({
    x: roll() * 2400,
    y: 560 + roll() * 260,
    r: 14 + roll() * 34,
    colour: hex(roll() < 0.5 ? '#ffd9a0' : '#ff6a3a', 0.05 + roll() * 0.12),
  }))
  const karts = [
    place(kart(), [0, 0, 0], 16, 0, 3),
    place(kart(hex('#7fb9d8'), hex('#20242c'), hex('#e9eef2')), [-2.1, 0, 0.72], 14, 0, 3),
    place(kart(hex('#e9eef2'), hex('#f2a01c'), hex('#ff3a12')), [-4.4, 0, -2.3], 20, 0, 2),
  ]
  const world: World = {
    env: (_x, y) => (y < 0 ? hex('#3b3733', 0.7) : sky(0.5 - y * 0.5)),
    above: hex('#8fa6c6', 0.42),
    below: hex('#5a4a3c', 0.25),
    sun: { toward: [-0.72, 0.24, 0.65], colour: hex('#ffb468', 3.2) },
    haze: { colour: hex('#d89a68', 0.8), reach: 40 },
  }
  const floor = (x: number, z: number) => {
    const bend = z - 2.1 - 0.06 * x * x * 0.3
    const stripe = Math.floor((x + 90) / 0.7) % 2 === 0
    if (bend > -0.5 && bend < 0.25)
      return {
        base: stripe ? hex('#c92a0e') : hex('#dad6cc'),
        gloss: 0.01,
        bump: [fbm(x * 20, z * 20, 2, 4) * 0.1, 0] as const,
      }
    const rubberLine = Math.exp(-(((z - 0.3 - 0.04 * x) / 0.9) ** 2)) * 0.3
    return {
      base: times(hex('#55565a'), 0.85 + 0.5 * fbm(x * 14, z * 14, 4, 7) - rubberLine),
      gloss: 0.012,
      bump: [fbm(x * 16, z * 16, 3, 3) * 0.25, fbm(x * 16, z * 16, 3, 13) * 0.25] as const,
    }
  }
  ground(f, v, world, floor, karts)
  blur(f, 30, 2)
  solids(f, v, world, karts.slice(2))
  blur(f, 7, 5)
  solids(f, v, world, karts.slice(1, 2))
  blur(f, 3.2, 2.2)
  solids(f, v, world, karts.slice(0, 1))
  glow(f, 300, 560, 900, 500, hex('#ffb768', 0.3))
  bloom(f, 0.3, 1, 120)
  return f
}

export const kartingChicane: Scene = {
  id: 'karting-chicane',
  paint: karting,
  grade: { exposure: 0.85, saturation: 1.1 },
}
