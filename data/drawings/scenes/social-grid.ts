/** A wall of phones, each showing a picture as a post. */
import { bloom, blur } from '../blur.ts'
import { glow } from '../effects.ts'
import { type Frame, blend, each, fill, frame, hex } from '../frame.ts'
import { dice, smooth } from '../noise.ts'
import { solids } from '../shoot.ts'
import { type Placed, place } from '../solid.ts'
import { screen } from '../texture.ts'
import { slab } from '../things.ts'
import { view } from '../view.ts'
import type { Scene } from './scene.ts'
import { dim } from './studio.ts'

/** Marks of a post: avatar, bars for words, a heart; no lettering. */
const post = (tint: string): string =>
  `<rect width="360" height="84" fill="#0b0d10" fill-opacity=".55"/><circle cx="44" cy="44" r="21" fill="${tint}"/><rect x="78" y="29" width="120" height="12" rx="6" fill="#fff" fill-opacity=".9"/><rect x="78" y="50" width="74" height="9" rx="4.5" fill="#fff" fill-opacity=".45"/>` +
  `<rect y="596" width="360" height="164" fill="#0b0d10" fill-opacity=".82"/><path d="M42 650c-22-16-20-36-6-36 8 0 12 6 14 10 2-4 6-10 14-10 14 0 16 20-6 36l-8 7z" fill="${tint}"/><circle cx="112" cy="632" r="15" fill="none" stroke="#fff" stroke-width="5"/><path d="M158 646l34-28-12 40-8-12z" fill="#fff"/>` +
  `<rect x="26" y="680" width="300" height="12" rx="6" fill="#fff" fill-opacity=".75"/><rect x="26" y="704" width="220" height="12" rx="6" fill="#fff" fill-opacity=".4"/>`

async function social(): Promise<Frame> {
  const f = frame(2400, 1600)
  fill(f, (x, y) =>
    blend(hex('#06080d'), hex('#16202f'), smooth(1700, 100, Math.hypot(x - 1500, y - 500))),
  )
  const ids = [
    'rally-snow-blue-hour',
    'formula-speed',
    'drift-smoke',
    'pit-lane-night',
    'gravel-jump',
    'wet-spray',
    'start-lights',
    'kerb-golden-hour',
    'rallycross-launch',
    'historic-lakeside',
    'grandstand-floodlights',
    'night-light-trails',
    'forest-stage-aerial',
    'helsinki-dusk',
    'karting-chicane',
  ]
  const tints = ['#ff4d23', '#7fb9d8', '#f2a01c', '#e9eef2']
  const v = view(f, [-1.7, 0.55, 4.3], [-0.12, 0.2, 0], 34, -9)
  const phones: Placed[] = []
  const roll = dice(5)
  for (const [i, id] of ids.entries()) {
    const show = await screen(post(tints[(i + Math.floor(i / 5)) % 4]), 360, 760, [
      { id, x: 0, y: 0, w: 360, h: 760 },
    ])
    const column = i % 4
    const row = Math.floor(i / 4)
    phones.push(
      place(
        slab(0.72, 1.48, 0.1, show, 1.15, 0.025),
        [-1.4 + column * 0.92, 1.62 - row * 1.62 + (column % 2) * 0.5 - 0.25, (roll() - 0.5) * 0.5],
        0,
      ),
    )
  }
  solids(f, v, dim, phones)
  const soft = blur({ ...f, rgb: f.rgb.slice() }, 12)
  each(f, (x, y, i) => {
    const t = smooth(620, 1250, Math.hypot((x - 1150) * 0.85, y - 780))
    for (let k = 0; k < 3; k++) f.rgb[i * 3 + k] += (soft.rgb[i * 3 + k] - f.rgb[i * 3 + k]) * t
  })
  glow(f, 400, 200, 900, 700, hex('#ff6a35', 0.04))
  bloom(f, 0.3, 0.7, 110)
  return f
}

export const socialGrid: Scene = {
  id: 'social-grid',
  paint: social,
  grade: { exposure: 1.05, saturation: 1.06 },
}
