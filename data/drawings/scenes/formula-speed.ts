/** A single-seater at full speed, the camera following it. */
import { bloom, blur, blurMask } from '../blur.ts'
import { bits, streaks } from '../effects.ts'
import { formula } from '../formula.ts'
import { type Frame, type Rgb, blend, each, frame, hex, light, ramp, times } from '../frame.ts'
import { fbm, noise, smooth } from '../noise.ts'
import { type World, ground, solids } from '../shoot.ts'
import { place } from '../solid.ts'
import { view } from '../view.ts'
import type { Scene } from './scene.ts'

async function speed(): Promise<Frame> {
  const f = frame(2400, 1600)
  const v = view(f, [0.6, 0.8, 9.4], [-0.12, 0.7, 0], 27, 1.2)
  const back = (s: number, t: number): Rgb => {
    const cold = ramp([
      [0, hex('#0a111c')],
      [0.45, hex('#23364d')],
      [0.62, hex('#5d87a8')],
      [0.8, hex('#ff6a35', 1.3)],
      [1, hex('#ffe9c9', 1.6)],
    ])
    return times(cold(s * (0.72 + 0.36 * Math.sin(t * 9 + 1))), 0.9)
  }
  streaks(f, 0, 960, back, 3)
  blur(f, 0, 5)
  const world: World = {
    env: (x, y, z) => {
      if (y < 0) return hex('#1a1d22', 0.7)
      const panel = smooth(0.09, 0.03, Math.abs(y - 0.42)) * (0.6 + 0.4 * noise(x * 3, z * 3))
      return blend(hex('#274058', 0.8 + y), hex('#fff1dd', 3.6), panel)
    },
    above: hex('#9fc0dd', 0.75),
    below: hex('#2a2c32', 0.5),
    sun: { toward: [-0.35, 0.62, 0.7], colour: hex('#ffd9b0', 1.8) },
  }
  const car = place(formula(), [0, 0, 0], 4, -0.3, 0)
  const road = (_x: number, z: number) => {
    const white = smooth(0.09, 0.05, Math.abs(z + 1.75))
    return {
      base: blend(times(hex('#34373d'), 0.8 + 0.3 * fbm(1, z * 14, 3, 2)), hex('#d9dde0'), white),
      gloss: 0.03,
    }
  }
  ground(f, v, world, road, [car])
  blur(f, 90, 1)
  solids(f, v, world, [car])
  // The wheels turn, the wing tips smear a little: a copy drawn out backwards over the rear half.
  const smear = blur({ ...f, rgb: f.rgb.slice() }, 34, 0)
  each(f, (x, _y, i) => {
    const t = smooth(900, 150, x) * 0.75
    for (let k = 0; k < 3; k++) f.rgb[i * 3 + k] += (smear.rgb[i * 3 + k] - f.rgb[i * 3 + k]) * t
  })
  const sparks = await bits(f, 6, 120, (roll) => {
    const t = roll()
    return {
      x: 560 - t * 560,
      y: 1085 + (roll() - 0.65) * 220 * t + roll() * 14,
      size: 1.5 + roll() * 3.5,
      dx: -30 - roll() * 120,
      dy: (roll() - 0.6) * 26,
      alpha: 0.4 + roll() * 0.6,
    }
  })
  light(f, blurMask(f, sparks, 1), hex('#ff9a3c', 4))
  bloom(f, 0.35, 1.0, 90)
  return f
}

export const formulaSpeed: Scene = {
  id: 'formula-speed',
  paint: speed,
  grade: { exposure: 0.95, saturation: 1.1 },
}
