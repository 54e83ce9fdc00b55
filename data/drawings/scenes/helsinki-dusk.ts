/** The Helsinki shore at dusk: domes, windows, a tram bridge of lights, all doubled in the bay. */
import { bloom, blur, blurMask } from '../blur.ts'
import { bokeh, flare, glow } from '../effects.ts'
import {
  type Frame,
  type Rgb,
  blend,
  each,
  fill,
  frame,
  hex,
  light,
  mask,
  over,
  ramp,
  vector,
} from '../frame.ts'
import { dice, fbm, smooth } from '../noise.ts'
import type { Scene } from './scene.ts'

async function shore(): Promise<Frame> {
  const f = frame(2400, 1600)
  const sky = ramp([
    [0, hex('#0c1630')],
    [0.3, hex('#2b3f6c')],
    [0.48, hex('#8a7490')],
    [0.58, hex('#ff9a62', 1.15)],
    [1, hex('#ffb070')],
  ])
  fill(f, (_x, y) => sky(y / 1600))
  over(
    f,
    mask(
      f,
      (x, y) =>
        smooth(0.05, 0.55, fbm(x / 620, y / 70, 5, 12)) *
        smooth(880, 380, y) *
        smooth(80, 360, y) *
        0.6,
    ),
    (_x, y) => blend(hex('#3b4468'), hex('#ff8a5c', 1.1), smooth(350, 820, y)),
  )
  const roll = dice(1812)
  const water = 960
  const layer = (top: number, low: number, high: number, width: number): string => {
    let d = `M-20 ${water}`
    for (let x = -20; x < 2440;) {
      const w = width * (0.5 + roll())
      const h = low + (high - low) * roll()
      const kind = roll()
      d +=
        `L${x} ${top - h}` +
        (kind < 0.4 ? `l${w / 2} ${-w * 0.16}L${x + w} ${top - h}` : `L${x + w} ${top - h}`)
      x += w
    }
    return `<path d="${d}L2440 ${water}Z"/>`
  }
  const dome = (x: number, y: number, r: number): string =>
    `<path d="M${x - r} ${y}C${x - r} ${y - r * 0.9} ${x - r * 0.5} ${y - r * 1.25} ${x} ${y - r * 1.42}C${x + r * 0.5} ${y - r * 1.25} ${x + r} ${y - r * 0.9} ${x + r} ${y}Z"/><rect x="${x - r * 0.86}" y="${y}" width="${r * 1.72}" height="${r * 0.9}"/><rect x="${x - r * 0.12}" y="${y - r * 1.75}" width="${r * 0.24}" height="${r * 0.4}"/><path d="M${x - 2} ${y - r * 2.25}h4v${r * 0.6}h-4z"/>`
  const far = await vector(f, layer(930, 10, 60, 90))
  over(f, blurMask(f, far, 2), hex('#5d4f66'))
  const cathedral =
    dome(930, 640, 62) +
    dome(815, 726, 24) +
    dome(1045, 726, 24) +
    '<path d="M770 760h320v170h-320zM840 760l90-46 90 46zM740 840h380v100h-380z"/>'
  const church =
    dome(1560, 745, 26) +
    dome(1512, 790, 13) +
    dome(1608, 790, 13) +
    '<path d="M1490 800h140v140h-140z"/><path d="M1556 745h8l-1-92h-6z"/>'
  const cranes =
    '<path d="M2130 930V690l-70 16v-8l70-22V640h10v38l150-34v8l-150 38v240z"/><path d="M2262 930V740l-52 10v-7l52-15v-30h8v30l110-24v7l-110 26v193z"/>'
  const mid = await vector(f, cathedral + church + cranes + layer(940, 40, 120, 70))
  over(f, blurMask(f, mid, 1), hex('#2a2740'))
  const front = await vector(f, layer(962, 18, 66, 120))
  over(f, front, hex('#11131f'))
  const lamps: { x: number; y: number; r: number; colour: Rgb }[] = []
  for (let i = 0; i < 330; i++) {
    const x = roll() * 2400
    const y = 870 + roll() * 84
    lamps.push({
      x,
      y,
      r: 1.8 + roll() * 2.6,
      colour: hex(roll() < 0.72 ? '#ffc070' : roll() < 0.5 ? '#ff6a3a' : '#cfe4ff', 1 + roll() * 2),
    })
  }
  for (let x = 60; x < 2400; x += 92)
    lamps.push({ x: x + roll() * 20, y: 948, r: 4.6, colour: hex('#ffd08a', 4.2) })
  bokeh(f, 1, lamps.length, () => lamps.pop() ?? { x: 0, y: 0, r: 1, colour: [0, 0, 0] })
  glow(f, 1350, 905, 1200, 90, hex('#ff8a4a', 0.2))
  // The bay: the picture above, upside down, drawn out downwards by the waves.
  const still = blur({ ...f, rgb: f.rgb.slice() }, 3, 34)
  each(f, (x, y, i) => {
    if (y < water) return
    const depth = y - water
    const wave = fbm(x / (50 + depth * 0.35), y / (3 + depth * 0.03), 4, 21)
    const sx = Math.min(f.w - 1, Math.max(0, Math.round((x + wave * (6 + depth * 0.12)) * f.scale)))
    const sy = Math.min(
      f.h - 1,
      Math.max(0, Math.round((water - depth * 0.94 + wave * (10 + depth * 0.22)) * f.scale)),
    )
    const at = (sy * f.w + sx) * 3
    const dark = 0.82 - 0.25 * smooth(0, 600, depth) - 0.14 * wave
    for (let k = 0; k < 3; k++) f.rgb[i * 3 + k] = still.rgb[at + k] * dark * [0.82, 0.92, 1.06][k]
  })
  const pier = await vector(
    f,
    '<path d="M-10 1600L-10 1440L560 1418L610 1436L640 1600Z"/><path d="M180 1430v-120h9v120zM420 1422v-120h9v120z"/><path d="M300 1425l0-60q14-22 30 0l3 60z"/>',
  )
  over(f, blurMask(f, pier, 3), hex('#07080d'))
  for (const x of [184, 424]) flare(f, x, 1306, 12, hex('#ffd59a', 1.6), 0.3, 0.4)
  light(
    f,
    mask(f, (_x, y) => Math.exp(-(((y - water) / 60) ** 2))),
    hex('#ff9a5c', 0.05),
  )
  bloom(f, 0.4, 0.9, 110)
  return f
}

export const helsinkiDusk: Scene = {
  id: 'helsinki-dusk',
  paint: shore,
  grade: { exposure: 0.95, saturation: 1.08 },
}
