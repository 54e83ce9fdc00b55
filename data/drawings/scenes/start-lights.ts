/** Five red lights above a grid in the dark. */
import { bloom, rim } from '../blur.ts'
import { bokeh, flare, glow, plume, puff } from '../effects.ts'
import { formula } from '../formula.ts'
import { type Frame, blend, fill, frame, hex, light, over, times, vector } from '../frame.ts'
import { fbm, smooth } from '../noise.ts'
import { type World, ground, solids } from '../shoot.ts'
import { place } from '../solid.ts'
import { forest } from '../trees.ts'
import { view } from '../view.ts'
import type { Scene } from './scene.ts'

async function lights(): Promise<Frame> {
  const f = frame(2400, 1600)
  const v = view(f, [-9.4, 1.05, -2.2], [0.6, 1.75, 0.1], 38)
  fill(f, (_x, y) => blend(hex('#04060b'), hex('#1a0b0e'), smooth(200, 1000, y)))
  glow(f, 1330, 760, 900, 330, hex('#ff2a0c', 0.16))
  await forest(f, [
    { seed: 61, base: 900, low: 60, high: 170, gap: 20, colour: hex('#060608'), soft: 9 },
  ])
  const red = hex('#ff2008')
  const cars = [
    place(formula(), [0, 0, -2.1]),
    place(formula(hex('#7fb9d8'), hex('#0d1014')), [6.5, 0, 2.2]),
    place(formula(hex('#e9eef2'), hex('#ff3a12')), [13, 0, -2.1]),
  ]
  const world: World = {
    env: (x, y, z) =>
      blend(
        y > 0 ? hex('#141a28', 0.6) : hex('#0a0a0c'),
        times(red, 2.6),
        smooth(0, 0.12, y) *
          smooth(0.5, 0.3, y) *
          smooth(0.3, 0.7, x) *
          smooth(0.42, 0.05, Math.abs(z)),
      ),
    above: hex('#2a3a5c', 0.45),
    below: hex('#0c0c10'),
    lamps: [
      { at: [9, 5, 0], colour: times(red, 5), reach: 5 },
      { at: [-10, 5, 6], colour: hex('#a9c8ff', 0.9), reach: 6 },
    ],
    haze: { colour: hex('#1a0a0c'), reach: 60 },
  }
  ground(
    f,
    v,
    world,
    (x, z) => {
      const box =
        cars.some(
          (c) =>
            Math.abs(Math.abs(z - c.at[2]) - 1.35) < 0.05 && x - c.at[0] < 3.4 && x - c.at[0] > 0.8,
        ) || cars.some((c) => Math.abs(x - c.at[0] - 3.4) < 0.06 && Math.abs(z - c.at[2]) < 1.38)
      const b = 0.05
      return {
        base: blend(
          times(hex('#2a2b30'), 0.8 + 0.5 * fbm(x * 8, z * 8, 3, 2)),
          hex('#d0d0d0'),
          box ? 0.8 : 0,
        ),
        gloss: 0.05,
        bump: [fbm(x * 7, z * 7, 3, 3) * b, fbm(x * 7, z * 7, 3, 13) * b],
      }
    },
    cars,
  )
  solids(f, v, world, cars)
  // The gantry: a beam across the track with five panels of two lamps.
  const place2 = (z: number, y: number) => v.project([16, y, z])
  const left = place2(-34, 5.9)
  const right = place2(34, 5.9)
  const drop = place2(0, 5.4).y - place2(0, 5.9).y
  const gantry = await vector(
    f,
    `<path d="M${left.x} ${left.y}L${right.x} ${right.y}l0 ${drop}L${left.x} ${left.y + drop}Z"/>` +
      [-2, -1, 0, 1, 2]
        .map((n) => {
          const a = place2(n * 1.15 - 0.42, 5.4)
          const b = place2(n * 1.15 + 0.42, 3.5)
          return `<rect x="${Math.min(a.x, b.x)}" y="${a.y}" width="${Math.abs(b.x - a.x)}" height="${b.y - a.y}" rx="10"/>`
        })
        .join(''),
  )
  over(f, gantry, hex('#0b0c10'))
  light(f, rim(f, gantry, 0, -5, 2), hex('#6d86b5', 0.5))
  for (let n = -2; n <= 2; n++)
    for (const y of [4.85, 4.05]) {
      const p = place2(n * 1.15, y)
      flare(f, p.x, p.y, 21, times(red, 2.2), 0.25, 0.2)
    }
  over(f, plume(f, puff(1300, 900, 1300, 260), 420, 21), hex('#4a0f0a', 0.4), 0.35)
  bokeh(f, 4, 22, (roll) => ({
    x: roll() * 2400,
    y: 800 + roll() * 90,
    r: 4 + roll() * 8,
    colour: hex(roll() < 0.5 ? '#ffb25a' : '#a9c8ff', 0.12),
  }))
  bloom(f, 0.42, 0.9, 130)
  return f
}

export const startLights: Scene = {
  id: 'start-lights',
  paint: lights,
  grade: { exposure: 1.15, saturation: 1.1 },
}
