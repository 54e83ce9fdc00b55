/** A photographer at the fence as a car goes by. */
import { bloom, blur, blurMask, rim } from '../blur.ts'
import { bokeh, flare, glow, plume, puff, streaks } from '../effects.ts'
import {
  type Frame,
  blend,
  fill,
  frame,
  hex,
  light,
  mask,
  over,
  ramp,
  times,
  vector,
} from '../frame.ts'
import { fbm, noise, smooth } from '../noise.ts'
import { forest } from '../trees.ts'
import { photographer } from './people.ts'
import type { Scene } from './scene.ts'

async function trackside(): Promise<Frame> {
  const f = frame(2400, 1600)
  const sky = ramp([
    [0, hex('#1a2440')],
    [0.3, hex('#7a5468')],
    [0.5, hex('#ff9a58', 1.2)],
    [0.62, hex('#ffc87c', 1.6)],
    [1, hex('#6a3a24')],
  ])
  fill(f, (_x, y) => sky(y / 1600))
  glow(f, 1500, 860, 620, 360, hex('#ffb45c', 1.2))
  await forest(f, [
    { seed: 13, base: 1000, low: 60, high: 190, gap: 16, colour: hex('#8a4c30', 0.8), soft: 9 },
  ])
  streaks(
    f,
    990,
    1250,
    (s, t) =>
      blend(
        hex('#3a2420'),
        blend(hex('#ff6a2c'), hex('#ffe2b0', 1.8), s),
        smooth(0.45, 0.95, s) * (1 - t * 0.5),
      ),
    6,
  )
  over(
    f,
    mask(
      f,
      (x, y) => Math.exp(-(((y - 1140) / 46) ** 4)) * smooth(1350, 1600, x) * smooth(2300, 2050, x),
    ),
    hex('#c22a0c', 1.1),
    0.9,
  )
  light(
    f,
    mask(f, (x, y) => Math.exp(-(((y - 1128) / 9) ** 2)) * smooth(1000, 2200, x)),
    hex('#fff0d0', 2.4),
  )
  blur(f, 60, 3)
  const verge = mask(f, (x, y) => smooth(1290, 1310, y - 16 * noise(x / 260, 1, 5)))
  over(f, verge, (x, y) => times(hex('#2a1a12'), 0.5 + 0.9 * fbm(x / 40, y / 9, 4, 4) + 0.3))
  const grass = await vector(
    f,
    `<path d="${Array.from({ length: 900 }, (_, i) => {
      const x = i * 2.7 + Math.sin(i * 7.3) * 6
      const h = 20 + 46 * Math.abs(noise(i / 9, 2, 8))
      return `M${x - 2.4} 1335l${3 + Math.sin(i * 3.1) * 7} ${-h}l${2 - Math.sin(i) * 2} ${h}z`
    }).join('')}"/>`,
  )
  over(f, blurMask(f, grass, 1.2), hex('#120b08'))
  const fence = await vector(
    f,
    `<g stroke="#000" stroke-width="3" stroke-opacity=".75" fill="none">${Array.from({ length: 60 }, (_, i) => `<path d="M${i * 46 - 200} 930l420 420M${i * 46 + 200} 930l-420 420"/>`).join('')}</g><path d="M-10 922h2420v12H-10z"/>${[120, 820, 2240].map((x) => `<path d="M${x} 880h18v480h-18z"/>`).join('')}`,
  )
  over(f, blurMask(f, fence, 2), hex('#160c09'), 0.55)
  const person = await vector(f, photographer(620, 1350, 640))
  over(f, person, hex('#0a0606'))
  light(f, rim(f, person, 7, -5, 4), hex('#ffbe78', 1.5))
  flare(f, 1500, 860, 40, hex('#ffd08a', 2), 0.6, 0.5)
  over(f, plume(f, puff(1700, 1290, 1100, 150), 200, 9), hex('#ffb878', 1), 0.5)
  bokeh(f, 12, 20, (r) => ({
    x: 1000 + r() * 1400,
    y: 700 + r() * 300,
    r: 8 + r() * 20,
    colour: hex('#ffc070', 0.06),
  }))
  bloom(f, 0.34, 1, 140)
  return f
}

export const tracksidePhotographer: Scene = {
  id: 'trackside-photographer',
  paint: trackside,
  grade: { exposure: 0.9, saturation: 1.08 },
}
