/** A timeline of film: frames of the season run through the dark. */
import { bloom, blur } from '../blur.ts'
import { flare } from '../effects.ts'
import { type Frame, blend, each, fill, frame, hex } from '../frame.ts'
import { smooth } from '../noise.ts'
import { solids } from '../shoot.ts'
import { type Placed, place } from '../solid.ts'
import { screen } from '../texture.ts'
import { slab } from '../things.ts'
import { view } from '../view.ts'
import type { Scene } from './scene.ts'
import { dim } from './studio.ts'

async function strip(): Promise<Frame> {
  const f = frame(2400, 1600)
  fill(f, (x, y) =>
    blend(hex('#05070b'), hex('#1a120f'), smooth(1500, 100, Math.hypot(x - 700, y - 900))),
  )
  const ids = [
    'start-lights',
    'gravel-jump',
    'wet-spray',
    'formula-speed',
    'kerb-golden-hour',
    'rally-snow-blue-hour',
    'drift-smoke',
  ]
  const holes =
    `<rect width="520" height="44" fill="#08090b"/><rect y="306" width="520" height="44" fill="#08090b"/>` +
    Array.from(
      { length: 9 },
      (_, i) =>
        `<rect x="${16 + i * 58}" y="11" width="30" height="22" rx="5" fill="#4a4038"/><rect x="${16 + i * 58}" y="317" width="30" height="22" rx="5" fill="#4a4038"/>`,
    ).join('') +
    '<rect width="8" height="350" fill="#08090b"/><rect x="512" width="8" height="350" fill="#08090b"/>'
  const v = view(f, [-0.9, 0.62, 4.6], [0.1, 0.05, 0], 33, 10)
  const bodies: Placed[] = []
  for (const [i, id] of ids.entries()) {
    const show = await screen(holes, 520, 350, [{ id, x: 0, y: 44, w: 520, h: 262 }])
    for (const [line, y, z, shift] of [
      [0, 0, 0.25, 0],
      [1, 1.3, -1.5, 3],
      [2, -1.25, 1.25, 5],
    ] as const) {
      const n = (i + shift) % ids.length
      const x = (n - 3) * 1.62 + line * 0.4
      bodies.push(
        place(
          slab(1.62, 1.08, 0.005, show, line === 0 ? 1.25 : 0.8, 0, {
            base: hex('#08090b'),
            gloss: 0.1,
          }),
          [x, y + 0.07 * Math.sin(x * 1.1 + line), z + 0.16 * Math.cos(x * 0.9)],
          Math.sin(x * 0.9 + 0.4) * 6,
        ),
      )
    }
  }
  solids(
    f,
    v,
    dim,
    bodies.filter((b) => b.at[2] < -0.8),
  )
  blur(f, 13)
  solids(
    f,
    v,
    dim,
    bodies.filter((b) => Math.abs(b.at[2] - 0.25) < 0.5),
  )
  const near = { ...f, rgb: f.rgb.slice() }
  solids(
    near,
    v,
    dim,
    bodies.filter((b) => b.at[2] > 0.9),
  )
  blur(near, 15)
  each(f, (_x, y, i) => {
    const t = smooth(1150, 1330, y)
    for (let k = 0; k < 3; k++) f.rgb[i * 3 + k] += (near.rgb[i * 3 + k] - f.rgb[i * 3 + k]) * t
  })
  flare(f, 1870, 300, 18, hex('#ff9a5c', 1.2), 0.8, 0.5)
  bloom(f, 0.34, 0.75, 120)
  return f
}

export const filmStrip: Scene = {
  id: 'film-strip',
  paint: strip,
  grade: { exposure: 1.1, saturation: 1.06 },
}
