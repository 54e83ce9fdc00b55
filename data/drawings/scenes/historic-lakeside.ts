/** A sixties saloon on a lakeside road, the sun still up at ten in the evening. */
import { bloom, blur, blurMask } from '../blur.ts'
import { flare } from '../effects.ts'
import { type Frame, blend, each, fill, frame, hex, mask, over, ramp, times } from '../frame.ts'
import { saloon } from '../garage.ts'
import { fbm, smooth } from '../noise.ts'
import { type World, ground, solids } from '../shoot.ts'
import { place } from '../solid.ts'
import { forest } from '../trees.ts'
import { view } from '../view.ts'
import type { Scene } from './scene.ts'

async function lakeside(): Promise<Frame> {
  const f = frame(2400, 1600)
  const v = view(f, [5.9, 1.15, 4.6], [-0.3, 0.98, 0], 34)
  const sky = ramp([
    [0, hex('#4f7ea6')],
    [0.26, hex('#a9c6cf')],
    [0.42, hex('#ffe2ae', 1.2)],
    [0.5, hex('#ffcf8a', 1.35)],
    [1, hex('#d6a46a')],
  ])
  fill(f, (_x, y) => sky(y / 1600))
  over(
    f,
    mask(f, (x, y) => smooth(0.1, 0.6, fbm(x / 700, y / 90, 5, 3)) * smooth(640, 120, y) * 0.6),
    hex('#ffe9cc', 1.15),
  )
  const lake = mask(f, (_x, y) => smooth(792, 798, y))
  over(f, lake, (x, y) => {
    const wave = fbm(x / 90, y / 3.2, 4, 9)
    return blend(
      blend(hex('#6f97ab'), hex('#ffd898', 1.2), Math.exp(-(((x - 720) / 330) ** 2)) * 0.9),
      hex('#2f4a56'),
      smooth(-0.1, 0.6, wave) * 0.45,
    )
  })
  await forest(f, [
    { seed: 71, base: 786, low: 34, high: 82, gap: 7, colour: hex('#6f8c86'), soft: 3 },
  ])
  flare(f, 720, 610, 30, hex('#ffdf9e', 2.4), 0.5, 0.5)
  const world: World = {
    env: (x, y, z) =>
      y < 0
        ? hex('#5a5a48', 0.6)
        : blend(
            sky(0.48 - y * 0.48),
            hex('#fff0c8', 3),
            Math.max(0, -x * 0.85 - z * 0.5) ** 10 * smooth(0.5, 0.05, y),
          ),
    above: hex('#9fc0d8', 0.75),
    below: hex('#7a7350', 0.5),
    lamps: [{ at: [7, 3, 6], colour: hex('#cfe4f2', 1.1), reach: 5 }],
    sun: { toward: [-0.8, 0.3, -0.52], colour: hex('#ffd49a', 2.7) },
    haze: { colour: hex('#e8c890', 0.95), reach: 90 },
  }
  const car = place(saloon({ headlight: hex('#fff2d6', 1.4) }), [0, 0, 0], 4)
  ground(
    f,
    v,
    world,
    (x, z, far) => {
      const edge = Math.abs(z) - 2.7 + 0.15 * fbm(x, 2, 3, 8)
      const line =
        smooth(0.08, 0.05, Math.abs(z + 2.3)) +
        smooth(0.07, 0.04, Math.abs(z - 1.6)) * ((x + 60) % 6 < 3 ? 1 : 0)
      if (edge > 0)
        return {
          base: times(hex('#6d7335'), 0.55 + 0.6 * fbm(x * 6, z * 6, 4, 4)),
          gloss: 0.002,
          bump: [fbm(x * 7, z * 7, 3, 3), fbm(x * 7, z * 7, 3, 13)],
        }
      return {
        base: blend(
          times(hex('#59585a'), 0.85 + 0.4 * fbm(x * 12, z * 12, 3, 2) * smooth(30, 5, far)),
          hex('#d8d4c4'),
          line * 0.7,
        ),
        gloss: 0.015,
        bump: [fbm(x * 12, z * 12, 3, 3) * 0.2, fbm(x * 12, z * 12, 3, 13) * 0.2],
      }
    },
    [car],
  )
  // The bank drops to the lake: everything beyond the far verge gives way to water again.
  const beyond = mask(f, (x, y) => {
    const d = v.ray(x, y)
    if (d[1] > -1e-4) return 0
    const z = v.eye[2] - (v.eye[1] / d[1]) * d[2]
    return smooth(-6.2, -7, z + 0.6 * fbm(x / 60, 1, 3, 2))
  })
  over(f, beyond, (x, y) => {
    const wave = fbm(x / 120, y / 5, 4, 9)
    return blend(
      blend(hex('#6f97ab'), hex('#ffd898', 1.35), Math.exp(-(((x - 720) / 260) ** 2)) * 0.95),
      hex('#2f4a56'),
      smooth(-0.1, 0.6, wave) * 0.45,
    )
  })
  await forest(f, [
    { seed: 71, base: 786, low: 34, high: 82, gap: 7, colour: hex('#6f8c86'), soft: 3 },
  ])
  const soft = blur({ ...f, rgb: f.rgb.slice() }, 6)
  each(f, (_x, y, i) => {
    const t = smooth(1000, 820, y)
    for (let k = 0; k < 3; k++) f.rgb[i * 3 + k] += (soft.rgb[i * 3 + k] - f.rgb[i * 3 + k]) * t
  })
  solids(f, v, world, [car])
  const birch = mask(
    f,
    (x, y) =>
      smooth(0.5, 0.68, 0.5 + fbm(x / 70, y / 46, 4, 77)) *
      smooth(520, 120, y + Math.abs(x - 2350) * 0.42),
  )
  over(f, blurMask(f, birch, 11), hex('#53601f', 0.7))
  bloom(f, 0.3, 1, 150)
  return f
}

export const historicLakeside: Scene = {
  id: 'historic-lakeside',
  paint: lakeside,
  grade: { exposure: 0.75, saturation: 1.08, shadows: [0.003, 0.004, 0.004] },
}
