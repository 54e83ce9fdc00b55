/** The pit lane in the rain, late in a long race. */
import { bloom, blur } from '../blur.ts'
import { flare } from '../effects.ts'
import { type Frame, type Rgb, blend, fill, frame, hex, times } from '../frame.ts'
import { coupe } from '../garage.ts'
import { fbm, noise, smooth } from '../noise.ts'
import { type World, ground, solids } from '../shoot.ts'
import { place } from '../solid.ts'
import { view } from '../view.ts'
import type { Scene } from './scene.ts'

async function pitLane(): Promise<Frame> {
  const f = frame(2400, 1600)
  const v = view(f, [6.8, 1.05, 4.3], [-3.4, 0.98, -1.3], 36)
  fill(f, (_x, y) => times(hex('#0b1220'), 0.5 + (y / 1600) * 0.6))
  // Garages stand on the plane z = -4: openings of light between dark pillars, a strip of lamps above.
  const wall = (x: number, y: number): Rgb => {
    const bay = ((x % 5.2) + 5.2) % 5.2
    const number = Math.floor(x / 5.2)
    const tint = ([hex('#ffd9ae'), hex('#cfe4ff'), hex('#ffb079'), hex('#e6efff')] as const)[
      ((number % 4) + 4) % 4
    ]
    if (y > 4.3) return hex('#05070b')
    if (y > 3.25)
      return Math.abs(y - 3.95) < 0.13 && bay > 0.5 && bay < 4.7
        ? times(hex('#eaf3ff'), 5)
        : Math.abs(y - 3.4) < 0.06
          ? hex('#ff3a12', 2.4)
          : hex('#0c1017')
    if (bay < 0.45 || bay > 4.75)
      return Math.abs(bay - 0.22) < 0.03 || Math.abs(bay - 4.98) < 0.03
        ? hex('#ff3a12', 1.8)
        : hex('#0a0d13')
    const tube = Math.abs(y - 2.75) < 0.07 && Math.abs(Math.sin(bay * 2.3)) > 0.35 ? 5 : 0
    const shelf = noise(bay * 2.2 + number * 9, y * 2.4, 4) > 0.12 && y < 1.7 ? 0.25 : 1
    return times(tint, (0.34 + 0.4 * smooth(0, 3, y)) * shelf + tube)
  }
  const env = (ex: number, ey: number, ez: number): Rgb => {
    if (ez < -0.05) {
      const t = 4 / -ez
      const y = ey * t + 0.5
      if (y > 0 && y < 4.4) return wall(ex * t * 0.8, y)
    }
    // Lamps over the lane give the paint its long highlights.
    return ey > 0.5 && Math.abs(ez + 0.1) < 0.14 ? hex('#d8e8ff', 3.4) : hex('#0a1020', 0.8)
  }
  for (let j = 0; j < f.h; j++) {
    for (let i = 0; i < f.w; i++) {
      const d = v.ray(i / f.scale, j / f.scale)
      if (d[2] > -0.01) continue
      const t = (-4 - v.eye[2]) / d[2]
      const y = v.eye[1] + d[1] * t
      if (y < 0) continue
      const c = wall(v.eye[0] + d[0] * t, y)
      const fade = Math.exp(-t / 42)
      for (let k = 0; k < 3; k++) f.rgb[(j * f.w + i) * 3 + k] = c[k] * fade + 0.01
    }
  }
  blur(f, 7)
  const car = place(
    coupe({
      headlight: hex('#ffe9c4', 3.5),
      taillight: hex('#ff2010', 5),
      wheel: { radius: 0.345, width: 0.32, steer: 10 },
    }),
    [0.4, 0, 0],
    -10,
  )
  const world: World = {
    env,
    above: hex('#6f83a6', 0.35),
    below: hex('#1a1d24', 0.6),
    lamps: [
      { at: [-1, 2.8, -3.2], colour: hex('#ffd2a0', 2.2), reach: 2.6 },
      { at: [3.5, 3.6, -3.2], colour: hex('#cfe2ff', 2), reach: 2.4 },
    ],
    haze: { colour: hex('#141d30'), reach: 60 },
  }
  // The wall is near, so its mirror image needs the true meeting point instead of a direction.
  const wet = { ...world, env: (x: number, y: number, z: number): Rgb => env(x, y, z) }
  ground(
    f,
    v,
    wet,
    (x, z) => {
      const pool = smooth(-0.22, 0.28, fbm(x * 0.42, z * 0.7, 4, 15))
      const rough = 0.012 + (1 - pool) * 0.05
      const line = smooth(0.12, 0.08, Math.abs(z - 2.1))
      const base = blend(
        times(hex('#24272d'), 0.85 + 0.3 * fbm(x * 9, z * 9, 3, 2)),
        hex('#c8ccd2'),
        line * 0.8,
      )
      return {
        base,
        gloss: 0.05 + pool * 0.3,
        bump: [fbm(x * 8, z * 8, 3, 3) * rough, fbm(x * 8, z * 8, 3, 13) * rough * 2],
      }
    },
    [car],
  )
  solids(f, v, world, [car])
  for (const z of [-0.68, 0.68]) {
    const p = v.project([car.at[0] + 2.2, 0.6, z + 0.38])
    flare(f, p.x, p.y, 15, hex('#ffe6bd', 0.9), 0.5, 0.5)
  }
  bloom(f, 0.36, 0.9, 120)
  return f
}

export const pitLaneNight: Scene = {
  id: 'pit-lane-night',
  paint: pitLane,
  grade: { exposure: 1, saturation: 1.08 },
}
