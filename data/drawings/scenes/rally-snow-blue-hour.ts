/** A rally car comes out of the forest at blue hour, powder snow behind it. */
import { bloom, blurMask } from '../blur.ts'
import { bits, flare, glow, plume, puff, sum } from '../effects.ts'
import { type Frame, blend, fill, frame, hex, light, over, ramp, times } from '../frame.ts'
import { hatch } from '../garage.ts'
import { fbm, smooth } from '../noise.ts'
import { type World, ground, solids } from '../shoot.ts'
import { type Vec, place, worldPoint } from '../solid.ts'
import { forest } from '../trees.ts'
import { view } from '../view.ts'
import type { Scene } from './scene.ts'

const lampColour = hex('#ffe2b0')

const pods: readonly Vec[] = [
  [1.99, 0.8, -0.56],
  [1.99, 0.8, -0.2],
  [1.99, 0.8, 0.2],
  [1.99, 0.8, 0.56],
]

async function snow(): Promise<Frame> {
  const f = frame(2400, 1600)
  const v = view(f, [8.2, 0.82, 3.3], [0.2, 0.98, -0.15], 31, -1.5)
  const sky = ramp([
    [0, hex('#0b1830', 0.9)],
    [0.35, hex('#23406e')],
    [0.52, hex('#6f86ad')],
    [0.6, hex('#d9a893', 0.9)],
    [1, hex('#7d8db0')],
  ])
  fill(f, (_x, y) => sky(y / 1600))
  const haze = hex('#8ea3c6', 0.75)
  const row = (
    seed: number,
    base: number,
    low: number,
    high: number,
    gap: number,
    near: number,
    soft: number,
  ) => ({ seed, base, low, high, gap, soft, colour: blend(haze, hex('#070c16'), near) })
  await forest(f, [
    row(3, 900, 170, 360, 20, 0.3, 5),
    row(5, 930, 260, 560, 34, 0.62, 4),
    row(8, 985, 380, 1000, 105, 0.9, 5),
  ])
  const body = place(
    hatch({
      pods: true,
      headlight: times(lampColour, 9),
      wheel: { radius: 0.335, width: 0.22, steer: -14 },
    }),
    [0, 0, 0],
    6,
    1.2,
    2,
  )
  const world: World = {
    env: (x, y, z) => {
      if (y < 0) return hex('#6d80a4', 0.55)
      const warm = Math.max(0, -x * 0.7 - z * 0.5) ** 2 * smooth(0.4, 0.02, y)
      return blend(sky(0.5 - y * 0.55), hex('#ffb991', 2.4), Math.min(1, warm * 1.6))
    },
    above: hex('#56739f', 0.75),
    below: hex('#7f93b8', 0.35),
    sun: { toward: [-0.8, 0.28, -0.53], colour: hex('#ffb38c', 0.9) },
    lamps: [{ at: [4.4, 0.5, 0.6], colour: times(lampColour, 1.6), reach: 1.7 }],
    haze: { colour: hex('#93a6c8', 0.8), reach: 70 },
  }
  ground(
    f,
    v,
    world,
    (x, z) => {
      const rut = Math.max(
        Math.exp(-(((z - 0.78 - 0.02 * x) / 0.2) ** 2)),
        Math.exp(-(((z + 0.78 - 0.02 * x) / 0.2) ** 2)),
      )
      const lump = fbm(x * 1.3, z * 1.3, 5, 4)
      const bank = smooth(2.6, 4.2, Math.abs(z + 0.4))
      const tone = 0.62 + 0.22 * lump - rut * 0.25 + bank * 0.22
      const bump = 0.55 * (1 + bank)
      return {
        base: times(hex('#c3d2ea'), tone),
        gloss: 0.003 + rut * 0.008,
        bump: [fbm(x * 2.2, z * 2.2, 4, 9) * bump, fbm(x * 2.2, z * 2.2, 4, 19) * bump],
      }
    },
    [body],
  )

  const tail = v.project([-1.8, 0.9, 0])
  const behind = plume(
    f,
    sum(
      puff(tail.x - 60, tail.y - 60, 820, 400),
      puff(tail.x - 520, tail.y + 90, 760, 300),
      puff(tail.x + 420, tail.y + 40, 560, 250),
    ),
    300,
    31,
  )
  const cloud = (x: number, y: number) => {
    const near = Math.exp(-(((x - 1200) / 520) ** 2) - ((y - 930) / 300) ** 2)
    return blend(hex('#8fa6cf', 0.75), hex('#ffd0a8', 1.25), near * 0.75)
  }
  over(f, behind, cloud, 0.92)
  solids(f, v, world, [body])
  const low = plume(f, sum(puff(700, 1180, 620, 150), puff(1500, 1290, 420, 90)), 170, 57)
  over(f, blurMask(f, low, 5), (x, y) => cloud(x, y), 0.6)
  const flakes = await bits(f, 12, 700, (roll) => {
    const x = 200 + roll() * 2000
    const y = 520 + roll() * 860
    return {
      x,
      y,
      size: 1.5 + roll() ** 4 * 8,
      dx: (roll() - 0.7) * 26,
      dy: (roll() - 0.5) * 14,
      alpha: 0.2 + roll() * 0.6,
    }
  })
  light(f, blurMask(f, flakes, 2), hex('#e8eefc', 0.9))
  for (const pod of pods) {
    const p = v.project(worldPoint(body, pod))
    flare(f, p.x, p.y, 30, times(lampColour, 1.5), 0.8, 0.9)
  }
  glow(f, 1420, 960, 640, 300, times(lampColour, 0.13))
  bloom(f, 0.32, 1.1, 120)
  return f
}

export const rallySnowBlueHour: Scene = {
  id: 'rally-snow-blue-hour',
  paint: snow,
  grade: { exposure: 1.05, saturation: 1.12, shadows: [0.001, 0.002, 0.006] },
}
