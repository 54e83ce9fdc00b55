/** Four rallycross cars leave the line together. */
import { bloom, blur, blurMask } from '../blur.ts'
import { bits, flare, plume, puff, streaks, sum } from '../effects.ts'
import { type Frame, blend, fill, frame, hex, light, mask, over, ramp, times } from '../frame.ts'
import { hatch, liveries } from '../garage.ts'
import { fbm, smooth } from '../noise.ts'
import { type World, ground, solids } from '../shoot.ts'
import { place, worldPoint } from '../solid.ts'
import { forest } from '../trees.ts'
import { view } from '../view.ts'
import type { Scene } from './scene.ts'

async function launch(): Promise<Frame> {
  const f = frame(2400, 1600)
  const v = view(f, [10.5, 0.95, 1.6], [0, 1.0, -0.2], 30, -1)
  const sky = ramp([
    [0, hex('#161d2a')],
    [0.4, hex('#4a5566')],
    [0.56, hex('#d98a5c', 1.1)],
    [1, hex('#6a5a50')],
  ])
  fill(f, (_x, y) => sky(y / 1600))
  streaks(f, 560, 800, (s) => blend(hex('#1a212c'), hex('#c86a3c', 0.9), smooth(0.5, 1, s)), 8)
  await forest(f, [
    { seed: 33, base: 800, low: 70, high: 210, gap: 18, colour: hex('#2b2a30'), soft: 9 },
  ])
  blur(f, 6)
  const lamps = hex('#ffe0ac', 6)
  const cars = [
    place(
      hatch({
        paint: liveries.ice,
        headlight: lamps,
        wheel: { radius: 0.335, width: 0.24, steer: 5 },
      }),
      [1.9, 0.02, -0.4],
      3,
      2,
      0,
    ),
    place(
      hatch({ paint: (x, y) => liveries.amber(x, y), headlight: lamps }),
      [0.6, 0.02, 2.0],
      -2,
      2.4,
      1,
    ),
    place(hatch({ paint: liveries.signal, headlight: lamps }), [-0.4, 0.02, -2.9], 5, 2.4, -1),
    place(hatch({ headlight: lamps }), [-3.4, 0.02, 1.0], -1, 2, 0),
  ]
  const world: World = {
    env: (x, y) =>
      y < 0
        ? hex('#4a382c', 0.7)
        : blend(
            sky(0.55 - y * 0.55),
            hex('#ffb27a', 1.6),
            Math.max(0, -x) ** 4 * smooth(0.4, 0, y),
          ),
    above: hex('#8490a6', 0.7),
    below: hex('#5a4030', 0.5),
    sun: { toward: [-0.6, 0.32, 0.73], colour: hex('#ffb884', 1.7) },
    haze: { colour: hex('#8a6a58', 0.8), reach: 30 },
  }
  ground(
    f,
    v,
    world,
    (x, z) => ({
      base: times(hex('#6e5038'), 0.75 + 0.5 * fbm(x * 6, z * 6, 4, 2)),
      gloss: 0.006,
      bump: [fbm(x * 8, z * 8, 4, 3) * 0.5, fbm(x * 8, z * 8, 4, 13) * 0.5],
    }),
    cars,
  )
  const tone = (x: number, y: number) =>
    blend(
      hex('#6b5648', 0.8),
      hex('#ffc896', 1.25),
      Math.exp(-(((x - 1150) / 800) ** 2) - ((y - 720) / 260) ** 2),
    )
  solids(f, v, world, cars.slice(3))
  over(
    f,
    plume(
      f,
      sum(puff(1200, 760, 1300, 330), puff(400, 860, 620, 260), puff(2000, 860, 620, 260)),
      300,
      17,
    ),
    tone,
    0.9,
  )
  solids(f, v, world, cars.slice(0, 3))
  over(
    f,
    blurMask(
      f,
      plume(
        f,
        sum(puff(520, 1130, 520, 120), puff(1880, 1140, 560, 130), puff(1200, 1240, 420, 90)),
        170,
        27,
      ),
      4,
    ),
    tone,
    0.75,
  )
  const dirt = await bits(f, 5, 240, (roll) => ({
    x: roll() * 2400,
    y: 1220 - roll() ** 2 * 460,
    size: 1.5 + roll() ** 5 * 10,
    dx: -4 + roll() * 8,
    dy: -roll() * 14,
    alpha: 0.8,
  }))
  over(f, blurMask(f, dirt, 1.6), hex('#20150e'))
  for (const car of cars.slice(0, 3))
    for (const z of [-0.66, 0.66]) {
      const p = v.project(worldPoint(car, [2.0, 0.69, z]))
      flare(f, p.x, p.y, 17, hex('#ffe0b0', 1.3), 0.6, 0.6)
    }
  light(
    f,
    mask(f, (_x, y) => Math.exp(-(((y - 780) / 120) ** 2))),
    hex('#ff8a4a', 0.07),
  )
  bloom(f, 0.3, 1, 110)
  return f
}

export const rallycrossLaunch: Scene = {
  id: 'rallycross-launch',
  paint: launch,
  grade: { exposure: 0.9, saturation: 1.08 },
}
