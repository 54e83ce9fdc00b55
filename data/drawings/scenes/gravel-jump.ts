/** A gravel jump in summer: the car in the air against a low sun, dust behind. */
import { bloom, blur, blurMask } from '../blur.ts'
import { bits, glow, plume, puff, sum } from '../effects.ts'
import { type Frame, blend, fill, frame, hex, mask, over, ramp, times } from '../frame.ts'
import { hatch, liveries } from '../garage.ts'
import { fbm, smooth } from '../noise.ts'
import { type World, ground, solids } from '../shoot.ts'
import { place } from '../solid.ts'
import { forest } from '../trees.ts'
import { view } from '../view.ts'
import type { Scene } from './scene.ts'

async function jump(): Promise<Frame> {
  const f = frame(2400, 1600)
  const v = view(f, [1.6, 0.55, 9.6], [-0.1, 1.35, 0], 30, 2)
  const sky = ramp([
    [0, hex('#3a4a66')],
    [0.3, hex('#a07f74')],
    [0.55, hex('#ffb45e', 1.35)],
    [0.66, hex('#ffd391', 1.7)],
    [1, hex('#d08c4c')],
  ])
  fill(f, (_x, y) => sky(y / 1600))
  glow(f, 760, 900, 620, 420, hex('#ffb65c', 1.3))
  const row = (
    seed: number,
    base: number,
    low: number,
    high: number,
    gap: number,
    near: number,
    soft: number,
  ) => ({
    seed,
    base,
    low,
    high,
    gap,
    soft,
    colour: blend(hex('#e09a55', 1.05), hex('#120c09'), near),
  })
  await forest(f, [row(23, 1130, 150, 330, 40, 0.35, 7), row(25, 1180, 260, 560, 80, 0.68, 9)])
  blur(f, 26, 4)
  const body = place(
    hatch({ paint: liveries.signal, wheel: { radius: 0.335, width: 0.22, steer: 6 } }),
    [0.15, 0.78, 0],
    9,
    7,
    -5,
  )
  const world: World = {
    env: (x, y) =>
      y < 0
        ? hex('#8a5a30', 0.6)
        : blend(
            sky(0.62 - y * 0.6),
            hex('#ffd79a', 3.4),
            Math.max(0, -x * 0.9) ** 3 * smooth(0.5, 0, y),
          ),
    above: hex('#8a8ea0', 0.4),
    below: hex('#b4763c', 0.32),
    sun: { toward: [-0.62, 0.3, -0.72], colour: hex('#ffc27a', 3.6) },
    haze: { colour: hex('#eba764', 1.1), reach: 80 },
  }
  const floor = (x: number, z: number) => {
    const stones = fbm(x * 7, z * 7, 4, 3)
    return {
      base: times(hex('#8d6238'), 0.72 + 0.5 * stones),
      gloss: 0.004,
      bump: [stones * 0.6, fbm(x * 7, z * 7, 4, 13) * 0.6] as const,
    }
  }
  ground(f, v, world, floor, [body])
  const dust = plume(
    f,
    sum(puff(430, 1060, 760, 420), puff(0, 900, 640, 560), puff(1000, 1240, 560, 170)),
    330,
    71,
  )
  const warm = (x: number, y: number) =>
    blend(
      hex('#a46a38', 0.75),
      hex('#ffdca6', 1.7),
      Math.exp(-(((x - 600) / 560) ** 2) - ((y - 860) / 420) ** 2),
    )
  over(f, dust, warm, 0.95)
  solids(f, v, world, [body])
  over(f, plume(f, sum(puff(560, 1330, 620, 130), puff(200, 1220, 420, 260)), 200, 88), warm, 0.75)
  const stones = await bits(f, 44, 330, (roll) => {
    const t = roll()
    return {
      x: 960 - t ** 1.6 * 900 + roll() * 90,
      y: 1330 - Math.sin(t * 2.2) * 330 * roll() ** 1.6 - roll() * 30,
      size: 2 + roll() ** 5 * 11,
      dx: -2 - roll() * 9,
      dy: (roll() - 0.6) * 8,
      alpha: 0.85,
    }
  })
  over(f, blurMask(f, stones, 1.5), hex('#2a1a0e'))
  const near = mask(f, (x, y) => smooth(1490, 1600, y + 26 * fbm(x / 160, 3, 4, 6)))
  over(f, blurMask(f, near, 16), hex('#1a110a'))
  bloom(f, 0.3, 1.1, 130)
  return f
}

export const gravelJump: Scene = {
  id: 'gravel-jump',
  paint: jump,
  grade: { exposure: 0.82, saturation: 1.08, shadows: [0.004, 0.002, 0.002] },
}
