/** Editors in front of a wall of screens. */
import { bloom, blur, rim } from '../blur.ts'
import { type Frame, blend, fill, frame, hex, light, over, vector } from '../frame.ts'
import { dice, fbm, noise, smooth } from '../noise.ts'
import { type World, ground, solids } from '../shoot.ts'
import { type Placed, place } from '../solid.ts'
import { screen } from '../texture.ts'
import { slab } from '../things.ts'
import { view } from '../view.ts'
import { bust } from './people.ts'
import type { Scene } from './scene.ts'
import { dim } from './studio.ts'

async function control(): Promise<Frame> {
  const f = frame(2400, 1600)
  fill(f, (_x, y) => blend(hex('#04060a'), hex('#0a101b'), smooth(0, 900, y)))
  const ids = [
    'formula-speed',
    'rally-snow-blue-hour',
    'start-lights',
    'pit-lane-night',
    'wet-spray',
    'karting-chicane',
    'gravel-jump',
    'kerb-golden-hour',
    'drift-smoke',
    'rallycross-launch',
    'ice-lake-aerial',
    'night-light-trails',
    'grandstand-floodlights',
    'historic-lakeside',
    'forest-stage-aerial',
  ]
  const v = view(f, [0.5, 1.5, 6.4], [0, 1.72, 0], 38)
  const wall: Placed[] = []
  for (const [i, id] of ids.entries()) {
    const column = (i % 5) - 2
    const row = Math.floor(i / 5)
    const bars =
      i % 4 === 1
        ? '<rect x="20" y="270" width="200" height="14" rx="7" fill="#ff4d23"/><rect x="20" y="292" width="130" height="10" rx="5" fill="#fff" fill-opacity=".8"/>'
        : i % 4 === 3
          ? Array.from(
              { length: 9 },
              (_, n) =>
                `<rect x="24" y="${30 + n * 30}" width="${60 + ((n * 37) % 60)}" height="12" rx="6" fill="${n === 2 ? '#ff4d23' : '#fff'}" fill-opacity=".85"/>`,
            ).join('')
          : '<circle cx="490" cy="26" r="8" fill="#ff2a10"/>'
    const show = await screen(bars, 520, 320, [{ id, x: 0, y: 0, w: 520, h: 320 }])
    wall.push(
      place(
        slab(1.62, 1.0, 0.02, show, 1.3, 0.03),
        [column * 1.66, 2.95 - row * 1.05, Math.abs(column) ** 1.7 * 0.26],
        -column * 9,
      ),
    )
  }
  const world: World = { ...dim, lamps: [], above: hex('#2a3a5c', 0.3) }
  ground(
    f,
    v,
    world,
    (x, z) => ({
      base: hex('#0b0d12'),
      gloss: 0.08,
      bump: [noise(x * 5, z * 5) * 0.02, fbm(x * 5, z * 5, 3, 4) * 0.02],
    }),
    wall,
  )
  solids(f, v, world, wall)
  blur(f, 3.4)
  bloom(f, 0.3, 0.7, 100)
  const roll = dice(42)
  const desk = await vector(
    f,
    '<path d="M-20 1345Q1200 1285 2420 1345V1410Q1200 1345-20 1410Z"/>' +
      [250, 700, 1150, 1620, 2080]
        .map((x) => `<path d="M${x - 120} 1335l10-118h220l10 118z"/>`)
        .join(''),
  )
  over(f, desk, hex('#06080c'))
  light(f, rim(f, desk, 0, -5, 2), hex('#9cc6ef', 0.5))
  for (const [x, y, size] of [
    [520, 1240, 118],
    [1010, 1255, 126],
    [1880, 1235, 122],
    [1400, 1330, 150],
  ] as const) {
    const headset = `<path d="M${x - size * 0.46} ${y - size * 0.45}q${size * 0.46} ${-size * 1.0} ${size * 0.92} 0" fill="none" stroke="#000" stroke-width="${size * 0.1}"/><rect x="${x - size * 0.58}" y="${y - size * 0.66}" width="${size * 0.2}" height="${size * 0.42}" rx="${size * 0.09}"/><rect x="${x + size * 0.38}" y="${y - size * 0.66}" width="${size * 0.2}" height="${size * 0.42}" rx="${size * 0.09}"/>`
    const person = await vector(f, bust(x, y, size, () => 0.62 + roll() * 0.2) + headset)
    over(f, person, hex('#040508'))
    light(f, rim(f, person, 0, -11, 5), hex('#8fc0f0', 0.8))
    light(f, rim(f, person, 9, -4, 4), hex('#ff8a50', 0.6))
  }
  return f
}

export const controlRoom: Scene = {
  id: 'control-room',
  paint: control,
  grade: { exposure: 1.1, saturation: 1.06 },
}
