/** A GT car comes through standing water, its lamps burning in the spray. */
import { bloom, blur, blurMask } from '../blur.ts'
import { bits, flare, plume, puff, sum } from '../effects.ts'
import { type Frame, blend, fill, frame, hex, light, over, ramp, times } from '../frame.ts'
import { coupe } from '../garage.ts'
import { fbm, smooth } from '../noise.ts'
import { type World, ground, solids } from '../shoot.ts'
import { place, worldPoint } from '../solid.ts'
import { forest } from '../trees.ts'
import { view } from '../view.ts'
import type { Scene } from './scene.ts'

async function spray(): Promise<Frame> {
  const f = frame(2400, 1600)
  const v = view(f, [9.6, 0.62, 1.5], [0, 0.9, 0.05], 25)
  const sky = ramp([
    [0, hex('#141a22')],
    [0.45, hex('#4a5763')],
    [0.58, hex('#8c98a2')],
    [1, hex('#39424b')],
  ])
  fill(f, (_x, y) => sky(y / 1600))
  await forest(f, [
    { seed: 14, base: 880, low: 120, high: 330, gap: 26, colour: hex('#39454f'), soft: 16 },
  ])
  const car = place(coupe({ headlight: hex('#e8f2ff', 8) }), [0, 0, 0], 3)
  const rival = place(
    coupe({ headlight: hex('#ffdca0', 8), paint: () => hex('#15171c') }),
    [-13, 0, 3.4],
    3,
  )
  const world: World = {
    env: (_x, y) => (y < 0 ? hex('#20262c') : sky(0.55 - y * 0.6)),
    above: hex('#8b98a6', 0.85),
    below: hex('#252b31', 0.6),
    lamps: [{ at: [3.4, 0.5, 0], colour: hex('#dbe9ff', 1.2), reach: 1.4 }],
    haze: { colour: hex('#6f7b86'), reach: 26 },
  }
  ground(
    f,
    v,
    world,
    (x, z) => {
      const wet = smooth(-0.3, 0.3, fbm(x * 0.5, z * 1.6, 4, 8))
      const ripple = 0.05 + 0.05 * (1 - wet)
      return {
        base: times(hex('#2a2e33'), 0.8),
        gloss: 0.05 + wet * 0.22,
        bump: [fbm(x * 5, z * 12, 3, 3) * ripple, fbm(x * 5, z * 12, 3, 13) * ripple],
      }
    },
    [car, rival],
  )
  solids(f, v, world, [rival])
  for (const z of [-0.68, 0.68]) {
    const p = v.project(worldPoint(rival, [2.2, 0.6, z]))
    flare(f, p.x, p.y, 17, hex('#ffd9a0', 1.6), 0.4, 0.5)
  }
  blur(f, 5)
  const mist = plume(
    f,
    sum(puff(1200, 700, 1150, 420), puff(500, 900, 700, 330), puff(1950, 880, 640, 330)),
    340,
    12,
  )
  over(
    f,
    mist,
    (x, y) =>
      blend(
        hex('#77848f', 0.8),
        hex('#e9f2fb', 1.2),
        Math.exp(-(((x - 1150) / 700) ** 2) - ((y - 850) / 300) ** 2),
      ),
    0.85,
  )
  solids(f, v, world, [car])
  const wash = plume(
    f,
    sum(puff(640, 1150, 400, 210), puff(1800, 1130, 420, 220), puff(1180, 1230, 640, 70)),
    150,
    33,
  )
  over(f, wash, hex('#aebbc6', 0.95), 0.8)
  const drops = await bits(f, 15, 900, (roll) => {
    const side = roll() < 0.5 ? -1 : 1
    const t = roll() ** 0.7
    return {
      x: 1210 + side * (330 + t * 760),
      y: 1190 - roll() * 620 * t + roll() * 60,
      size: 0.8 + roll() ** 5 * 4,
      dx: side * roll() * 30,
      dy: -roll() * 26,
      alpha: 0.25 + roll() * 0.6,
    }
  })
  light(f, blurMask(f, drops, 1.2), hex('#e6f1fb', 0.8))
  for (const z of [-0.68, 0.68]) {
    const p = v.project(worldPoint(car, [2.2, 0.6, z]))
    flare(f, p.x, p.y, 40, hex('#dcebff', 2), 1, 0.8)
  }
  const rain = await bits(f, 77, 420, (roll) => ({
    x: roll() * 2400,
    y: roll() * 1600,
    size: 1 + roll() * 1.6,
    dx: -7,
    dy: 40 + roll() * 60,
    alpha: 0.1 + roll() * 0.25,
  }))
  light(f, blurMask(f, rain, 1), hex('#cfe0f0', 0.35))
  bloom(f, 0.3, 1.0, 130)
  return f
}

export const wetSpray: Scene = {
  id: 'wet-spray',
  paint: spray,
  grade: { exposure: 0.85, saturation: 1.05, shadows: [0.001, 0.002, 0.004] },
}
