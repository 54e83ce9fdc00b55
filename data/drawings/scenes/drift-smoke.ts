/** A car at full lock in its own smoke, lit from behind. */
import { bloom, blurMask } from '../blur.ts'
import { bokeh, flare, plume, puff, sum } from '../effects.ts'
import { type Frame, blend, fill, frame, hex, over, times } from '../frame.ts'
import { coupe, liveries } from '../garage.ts'
import { fbm, smooth } from '../noise.ts'
import { type World, ground, solids } from '../shoot.ts'
import { place, worldPoint } from '../solid.ts'
import { view } from '../view.ts'
import type { Scene } from './scene.ts'

async function drift(): Promise<Frame> {
  const f = frame(2400, 1600)
  const v = view(f, [6.4, 0.7, 4.2], [-0.1, 0.86, 0], 33, 3)
  fill(f, (_x, y) => blend(hex('#05070c'), hex('#161d2b'), smooth(0, 1000, y)))
  bokeh(f, 21, 60, (roll) => ({
    x: roll() * 2400,
    y: 300 + roll() * 420,
    r: 10 + roll() * 30,
    colour: hex(['#9cc6ff', '#ffb25a', '#ff4d23'][(roll() * 3) | 0], 0.08 + roll() * 0.24),
  }))
  const car = place(
    coupe({
      paint: (x, y) => liveries.amber(x, y),
      headlight: hex('#ffe2b0', 7),
      wheel: { radius: 0.345, width: 0.3, steer: -32 },
    }),
    [0, 0, 0],
    -16,
    0,
    -3,
  )
  const world: World = {
    env: (x, y, z) => {
      if (y < 0) return hex('#0e1015')
      const back = smooth(-0.2, -0.8, x * 0.8 + z * 0.6)
      const strip = smooth(0.07, 0.02, Math.abs(y - 0.32)) * smooth(0.1, 0.5, Math.abs(z))
      return blend(
        blend(hex('#101826'), hex('#ff7a3a', 2.2), back * smooth(0.7, 0.1, y)),
        hex('#d8e8ff', 3),
        strip,
      )
    },
    above: hex('#5b78a8', 0.4),
    below: hex('#17181c'),
    sun: { toward: [-0.75, 0.42, -0.5], colour: hex('#ff8a4a', 2.6) },
    lamps: [{ at: [3, 4, 5], colour: hex('#a9ccff', 1.6), reach: 4 }],
    haze: { colour: hex('#141a26'), reach: 50 },
  }
  ground(
    f,
    v,
    world,
    (x, z) => {
      const arc = Math.hypot(x - 2, z - 9)
      const mark = Math.max(
        Math.exp(-(((arc - 9.4) / 0.15) ** 2)),
        Math.exp(-(((arc - 7.9) / 0.15) ** 2)),
      )
      return {
        base: times(hex('#34373d'), (0.85 + 0.4 * fbm(x * 9, z * 9, 4, 2)) * (1 - mark * 0.6)),
        gloss: 0.03,
        bump: [fbm(x * 9, z * 9, 3, 3) * 0.08, fbm(x * 9, z * 9, 3, 13) * 0.08],
      }
    },
    [car],
  )
  const lit = (x: number, y: number) => {
    const hot = Math.exp(-(((x - 560) / 620) ** 2) - ((y - 640) / 420) ** 2)
    return blend(hex('#54657f', 0.5), hex('#ff9a5c', 1.7), hot)
  }
  over(
    f,
    plume(
      f,
      sum(puff(640, 780, 820, 500), puff(180, 700, 620, 640), puff(1150, 620, 520, 330)),
      330,
      41,
    ),
    lit,
    0.95,
  )
  solids(f, v, world, [car])
  over(
    f,
    blurMask(f, plume(f, sum(puff(760, 1090, 420, 190), puff(360, 1040, 520, 330)), 190, 62), 4),
    lit,
    0.85,
  )
  for (const z of [-0.68, 0.68]) {
    const p = v.project(worldPoint(car, [2.2, 0.6, z]))
    flare(f, p.x, p.y, 20, hex('#ffe2b8', 1.5), 0.7, 0.7)
  }
  bloom(f, 0.36, 0.9, 120)
  return f
}

export const driftSmoke: Scene = {
  id: 'drift-smoke',
  paint: drift,
  grade: { exposure: 1.05, saturation: 1.08 },
}
