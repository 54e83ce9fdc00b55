/** A ploughed track on lake ice, from above; studded tyres have scored the bends. */
import { bloom } from '../blur.ts'
import { glow, plume, puff } from '../effects.ts'
import { type Frame, blend, frame, hex, over, times } from '../frame.ts'
import { hatch, liveries } from '../garage.ts'
import { fbm, smooth } from '../noise.ts'
import { type World, ground, solids } from '../shoot.ts'
import { place } from '../solid.ts'
import { view } from '../view.ts'
import type { Scene } from './scene.ts'

/** Distance from a smooth track, with the position along it, found on a sampled line. */
function line(points: readonly (readonly [number, number])[]): (x: number, z: number) => number {
  return (x, z) => {
    let best = Infinity
    for (let i = 1; i < points.length; i++) {
      const [ax, az] = points[i - 1]
      const [bx, bz] = points[i]
      const [dx, dz] = [bx - ax, bz - az]
      const t = Math.min(1, Math.max(0, ((x - ax) * dx + (z - az) * dz) / (dx * dx + dz * dz)))
      best = Math.min(best, (x - ax - dx * t) ** 2 + (z - az - dz * t) ** 2)
    }
    return Math.sqrt(best)
  }
}

async function iceLake(): Promise<Frame> {
  const f = frame(2400, 1600)
  const v = view(f, [0, 46, 20], [0, 0, 1], 44)
  const track = line(
    Array.from({ length: 90 }, (_, i) => {
      const t = (i / 89) * 2 - 1
      return [t * 46, 11 * Math.sin(t * 4.3 + 0.5) + t * 5] as const
    }),
  )
  const lanes = [0.6, 1.3, -0.9, 1.9, -1.7]
  const world: World = {
    env: (x, y) =>
      blend(
        hex('#dfe9f5', 0.9),
        hex('#ffd2a6', 2),
        Math.max(0, -x * 0.9) ** 6 * smooth(0.6, 0.1, y),
      ),
    above: hex('#7f9cc4', 0.75),
    below: hex('#405068'),
    sun: { toward: [-0.86, 0.3, 0.41], colour: hex('#ffc596', 1.7) },
  }
  const cars = [
    place(hatch({ paint: liveries.signal, headlight: hex('#ffe2b0', 5) }), [-3, 0, 3.1], -33),
    place(hatch({ headlight: hex('#ffe2b0', 5) }), [12.5, 0, 11.4], -3),
  ]
  ground(
    f,
    v,
    world,
    (x, z) => {
      const wobble = 0.5 * fbm(x / 5, z / 5, 3, 5)
      const d = track(x, z) + wobble
      const snowy = smooth(4.4, 5.4, d)
      const bank = Math.exp(-(((d - 5.3) / 0.8) ** 2))
      let score = 0
      for (const lane of lanes) {
        const drift =
          track(x + 0.3 * fbm(x / 3, z / 3, 2, 30), z + lane * 0.9) - Math.abs(lane) * 0.4
        score = Math.max(
          score,
          Math.exp(-(((drift - 0.8) / 0.1) ** 2)),
          Math.exp(-(((drift - 2.1) / 0.1) ** 2)),
        )
      }
      score *= 0.45 + 0.5 * fbm(x / 2, z / 2, 3, 7)
      const cloudy = 0.5 + 0.5 * fbm(x / 6, z / 6, 5, 11)
      const crack = smooth(0.025, 0, Math.abs(fbm(x / 11, z / 11, 4, 60))) * 0.5
      const ice = blend(
        blend(hex('#142c42'), hex('#3f6b8c'), cloudy),
        hex('#c9def0'),
        Math.min(1, score + crack),
      )
      const relief = 0.25 * snowy + bank * 0.7
      const pow = fbm(x * 0.9, z * 0.9, 4, 4)
      return {
        base: blend(ice, times(hex('#c6d4e8'), 0.88 + 0.14 * pow + 0.12 * bank), snowy),
        gloss: 0.05 * (1 - snowy),
        bump: [
          fbm(x * 0.8, z * 0.8, 4, 3) * relief + bank * 0.3,
          fbm(x * 0.8, z * 0.8, 4, 13) * relief,
        ],
      }
    },
    cars,
  )
  solids(f, v, world, cars)
  for (const [car, size] of [
    [cars[0], 150],
    [cars[1], 110],
  ] as const) {
    const p = v.project([car.at[0] - 2.4, 0.4, car.at[2]])
    over(
      f,
      plume(f, puff(p.x - size * 0.8, p.y + size * 0.2, size * 1.7, size * 0.75), 70, 15),
      hex('#e9f0fb', 1.05),
      0.9,
    )
  }
  glow(f, 0, 1500, 1300, 1100, hex('#ffb07a', 0.1))
  bloom(f, 0.2, 1.2, 90)
  return f
}

export const iceLakeAerial: Scene = {
  id: 'ice-lake-aerial',
  paint: iceLake,
  grade: { exposure: 0.85, saturation: 1.12, shadows: [0.002, 0.004, 0.008] },
}
