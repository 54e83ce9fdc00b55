/** One site on a laptop and a phone, the construction lines of its layout in the air behind. */
import { bloom, blur, blurMask } from '../blur.ts'
import { type Frame, blend, fill, frame, hex, light, vector } from '../frame.ts'
import { noise, smooth } from '../noise.ts'
import { type World, ground, solids } from '../shoot.ts'
import { place } from '../solid.ts'
import { screen } from '../texture.ts'
import { slab } from '../things.ts'
import { view } from '../view.ts'
import type { Scene } from './scene.ts'
import { dim } from './studio.ts'

async function website(): Promise<Frame> {
  const f = frame(2400, 1600)
  fill(f, (x, y) =>
    blend(hex('#05070b'), hex('#111b2a'), smooth(1600, 100, Math.hypot(x - 1300, y - 600))),
  )
  const bar = (x: number, y: number, w: number, h: number, fillColour: string, o = 1, r = h / 2) =>
    `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="${r}" fill="${fillColour}" fill-opacity="${o}"/>`
  const page =
    `<rect width="1200" height="760" fill="#0b0d10" fill-opacity=".28"/><rect width="1200" height="40" fill="#15181d"/><circle cx="26" cy="20" r="7" fill="#ff4d23"/><circle cx="50" cy="20" r="7" fill="#f2a01c"/><circle cx="74" cy="20" r="7" fill="#7fb9d8"/>` +
    bar(420, 11, 360, 18, '#fff', 0.12) +
    bar(64, 74, 110, 18, '#fff') +
    [640, 730, 820, 910].map((x) => bar(x, 78, 58, 10, '#fff', 0.7)).join('') +
    bar(1010, 66, 126, 34, '#ff4d23', 1, 6) +
    bar(64, 210, 520, 46, '#fff', 1, 6) +
    bar(64, 272, 410, 46, '#fff', 1, 6) +
    bar(64, 346, 380, 12, '#fff', 0.6) +
    bar(64, 370, 320, 12, '#fff', 0.6) +
    bar(64, 420, 170, 46, '#ff4d23', 1, 8) +
    bar(250, 420, 150, 46, '#fff', 0.16, 8) +
    `<rect y="540" width="1200" height="220" fill="#0b0d10" fill-opacity=".92"/>` +
    [64, 344, 624, 904]
      .map(
        (x, i) =>
          `<rect x="${x}" y="570" width="240" height="160" rx="10" fill="#171b21"/><circle cx="${x + 36}" cy="608" r="16" fill="${['#ff4d23', '#7fb9d8', '#f2a01c', '#e9eef2'][i]}"/>` +
          bar(x + 24, 648, 150, 14, '#fff', 0.9) +
          bar(x + 24, 676, 190, 9, '#fff', 0.35) +
          bar(x + 24, 694, 160, 9, '#fff', 0.35),
      )
      .join('')
  const site = await screen(page, 1200, 760, [
    { id: 'rally-snow-blue-hour', x: 0, y: 0, w: 1200, h: 760 },
  ])
  const mobile = await screen(
    `<rect width="300" height="620" fill="#0b0d10" fill-opacity=".25"/>` +
      bar(24, 34, 70, 14, '#fff') +
      bar(232, 34, 42, 12, '#fff', 0.8) +
      bar(24, 250, 230, 26, '#fff', 1, 4) +
      bar(24, 286, 170, 26, '#fff', 1, 4) +
      bar(24, 334, 200, 9, '#fff', 0.6) +
      bar(24, 372, 120, 38, '#ff4d23', 1, 6) +
      `<rect y="450" width="300" height="170" fill="#0b0d10" fill-opacity=".9"/>` +
      bar(24, 474, 252, 54, '#1b2027', 1, 8) +
      bar(24, 542, 252, 54, '#1b2027', 1, 8),
    300,
    620,
    [{ id: 'drift-smoke', x: 0, y: 0, w: 300, h: 620 }],
  )
  const v = view(f, [-1.1, 1.25, 4.7], [0.3, 0.66, 0], 33, 0)
  const lid = slab(2.4, 1.54, 0.06, site, 1.25, 0.035)
  const base = slab(
    2.4,
    1.6,
    0.06,
    await screen(
      Array.from(
        { length: 60 },
        (_, i) =>
          `<rect x="${80 + (i % 12) * 70}" y="${40 + Math.floor(i / 12) * 56}" width="60" height="46" rx="7" fill="#1c2026"/>`,
      ).join('') + '<rect x="330" y="350" width="340" height="200" rx="12" fill="#14171b"/>',
      1000,
      620,
    ),
    0.35,
    0.02,
  )
  const bodies = [
    place(lid, [0, 0.86, -0.12], 0, 0, -10),
    place(base, [0, 0.04, 0.74], 0, 0, -90),
    place(slab(0.5, 1.03, 0.07, mobile, 1.25, 0.018), [1.5, 0.54, 0.8], -18, 0, -8),
  ]
  const world: World = {
    ...dim,
    above: hex('#6d86b0', 0.6),
    lamps: [{ at: [0, 1, 1.6], colour: hex('#9cc6ef', 1.6), reach: 1.2 }, ...(dim.lamps ?? [])],
  }
  ground(
    f,
    v,
    world,
    (x, z) => ({
      base: hex('#0a0c10'),
      gloss: 0.09,
      bump: [noise(x * 40, z * 40) * 0.006, noise(x * 40, z * 40, 4) * 0.006],
    }),
    bodies,
  )
  // Construction lines of the layout hang in the air behind the screen.
  const wires = await vector(
    f,
    `<g fill="none" stroke="#fff" stroke-width="2.5">${[
      [180, 150, 520, 330],
      [1820, 110, 430, 250],
      [1930, 400, 330, 180],
      [90, 540, 360, 220],
      [760, 60, 620, 120],
    ]
      .map(
        ([x, y, w, h]) =>
          `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="14"/><path d="M${x} ${y}l${w} ${h}M${x + w} ${y}l${-w} ${h}" stroke-opacity=".35"/><path d="M${x + 20} ${y + h + 24}h${w * 0.7}M${x + 20} ${y + h + 48}h${w * 0.45}" stroke-width="7" stroke-opacity=".5"/>`,
      )
      .join('')}</g>`,
  )
  light(f, blurMask(f, wires.slice(), 6), hex('#5fb4ff', 0.55))
  light(f, wires, hex('#9cd0ff', 0.42))
  blur(f, 2)
  solids(f, v, world, bodies)
  bloom(f, 0.34, 0.75, 120)
  return f
}

export const websiteWireframe: Scene = {
  id: 'website-wireframe',
  paint: website,
  grade: { exposure: 1.1, saturation: 1.06 },
}
