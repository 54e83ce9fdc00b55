/** A forest stage from a drone: the road, the dust of one car, long evening shadows. */
import { bloom, blurMask } from '../blur.ts'
import { flare, glow } from '../effects.ts'
import {
  type Frame,
  type Rgb,
  blend,
  each,
  fill,
  frame,
  hex,
  mask,
  over,
  times,
  vector,
} from '../frame.ts'
import { cell, dice, fbm, noise, smooth } from '../noise.ts'
import type { Scene } from './scene.ts'

async function forestStage(): Promise<Frame> {
  const f = frame(2400, 1600)
  const road = (y: number) => 1230 + 430 * Math.sin(y / 330 + 0.4) + 130 * Math.sin(y / 140)
  const ground0 = (x: number, y: number): Rgb => {
    const d = Math.abs(x - road(y)) / Math.hypot(1, (road(y + 2) - road(y - 2)) / 4)
    const soil = fbm(x / 60, y / 60, 5, 2)
    const moss = blend(hex('#1a2416'), hex('#3a4424'), 0.5 + soil)
    const way = blend(hex('#a07a52'), hex('#7a5838'), 0.5 + fbm(x / 24, y / 24, 4, 8))
    const rut = Math.exp(-(((d - 22) / 9) ** 2)) * 0.35
    return blend(times(way, 1 - rut), moss, smooth(50, 68, d + 10 * soil))
  }
  fill(f, ground0)
  const roll = dice(404)
  const trees: { x: number; y: number; r: number; tone: number }[] = []
  for (let i = 0; i < 5200; i++) {
    const y = roll() * 1760 - 60
    const x = roll() * 2560 - 80
    const clear = 92 + 26 * noise(x / 90, y / 90, 3)
    if (Math.abs(x - road(y)) / Math.hypot(1, (road(y + 2) - road(y - 2)) / 4) < clear) continue
    trees.push({ x, y, r: 17 + roll() ** 2 * 24, tone: roll() })
  }
  trees.sort((a, b) => a.y - b.y)
  // Sun low from the left: each crown throws a long shadow to the right, over road and trees alike.
  const shadows = await vector(
    f,
    trees
      .map(
        (t) =>
          `<path d="M${t.x} ${t.y - t.r * 0.7}L${t.x + t.r * 4.6} ${t.y + t.r * 0.9}L${t.x} ${t.y + t.r * 0.8}Z"/>`,
      )
      .join(''),
  )
  over(f, blurMask(f, shadows, 2.5), hex('#0a1013'), 0.78)
  for (const [part, colour] of [
    [0, hex('#16241a')],
    [1, hex('#2b3f24')],
    [2, hex('#74742f')],
  ] as const) {
    const crowns = trees
      .map((t) => {
        const points = Array.from({ length: 18 }, (_, n) => {
          const a = (n / 18) * Math.PI * 2
          const r =
            t.r *
            (n % 2 ? 0.62 : 1) *
            (part === 0 ? 1 : part === 1 ? 0.74 : 0.4) *
            (0.9 + 0.25 * cell(n, (t.x * 7) | 0, 5))
          const shift = part === 0 ? 0 : part === 1 ? 0.16 : 0.36
          return `${(t.x - t.r * shift + Math.cos(a) * r).toFixed(1)} ${(t.y - t.r * shift * 0.4 + Math.sin(a) * r).toFixed(1)}`
        })
        return `<path d="M${points.join('L')}Z" opacity="${(part === 2 ? 0.15 + t.tone * 0.5 : 0.9).toFixed(2)}"/>`
      })
      .join('')
    over(f, blurMask(f, await vector(f, crowns), 1.2), colour)
  }
  const carY = 900
  const dust = mask(f, (x, y) => {
    if (y < carY - 10) return 0
    const age = (y - carY) / 640
    const width = 26 + age * 210
    const d = (x - road(y) - age * 70) / width
    return Math.exp(-d * d) * smooth(1.15, 0.1, age) * (0.62 + 0.62 * fbm(x / 80, y / 80, 5, 19))
  })
  over(f, blurMask(f, dust, 3), hex('#f0c894', 1.05), 0.95)
  const slope = Math.atan2(-6, road(carY - 6) - road(carY))
  const spin = `transform="translate(${road(carY).toFixed(1)} ${carY}) rotate(${((slope * 180) / Math.PI).toFixed(1)})"`
  over(
    f,
    blurMask(
      f,
      await vector(f, `<g ${spin}><rect x="-30" y="-6" width="84" height="34" rx="10"/></g>`),
      5,
    ),
    hex('#05080a'),
    0.7,
  )
  over(
    f,
    await vector(f, `<g ${spin}><rect x="-30" y="-14" width="62" height="28" rx="8"/></g>`),
    hex('#ff4016', 1.1),
  )
  over(
    f,
    await vector(
      f,
      `<g ${spin}><rect x="-16" y="-10" width="7" height="20" rx="2"/><rect x="8" y="-11" width="9" height="22" rx="3"/><rect x="-33" y="-14" width="6" height="28" rx="2"/></g>`,
    ),
    hex('#0a0c10'),
  )
  over(
    f,
    await vector(f, `<g ${spin}><rect x="-8" y="-3" width="15" height="6"/></g>`),
    hex('#f4f4f0'),
  )
  for (const s of [-9, 9]) {
    const p = {
      x: road(carY) + Math.cos(slope) * 32 - Math.sin(slope) * s,
      y: carY + Math.sin(slope) * 32 + Math.cos(slope) * s,
    }
    flare(f, p.x, p.y, 6, hex('#ffe6bc', 1.3), 0, 0.3)
  }
  each(f, (x, y, i) => {
    const warm = smooth(2400, 0, x) * (0.8 + 0.2 * smooth(1600, 0, y))
    f.rgb[i * 3] *= 0.72 + 0.75 * warm
    f.rgb[i * 3 + 1] *= 0.78 + 0.45 * warm
    f.rgb[i * 3 + 2] *= 0.95 + 0.05 * warm
  })
  glow(f, -100, 200, 1500, 1200, hex('#ffb066', 0.16))
  bloom(f, 0.22, 0.9, 120)
  return f
}

export const forestStageAerial: Scene = {
  id: 'forest-stage-aerial',
  paint: forestStage,
  grade: { exposure: 1.25, saturation: 1.06 },
}
