/** Spectators under the floodlights. */
import { bloom, blurMask, rim } from '../blur.ts'
import { beam, flare, glow } from '../effects.ts'
import { type Frame, blend, fill, frame, hex, light, over, ramp, vector } from '../frame.ts'
import { crowd } from './people.ts'
import type { Scene } from './scene.ts'

async function stand(): Promise<Frame> {
  const f = frame(2400, 1600)
  const sky = ramp([
    [0, hex('#060b16')],
    [0.55, hex('#142440')],
    [0.8, hex('#3b4f74')],
    [1, hex('#5a5f78')],
  ])
  fill(f, (_x, y) => sky(y / 1600))
  const masts = [
    [330, 210, 62],
    [1010, 120, 84],
    [1760, 150, 101],
    [2250, 240, 120],
  ] as const
  for (const [x, y, angle] of masts) {
    for (let n = 0; n < 3; n++)
      beam(f, x - 70 + n * 70, y, angle - 12 + n * 12, 0.16, 900, hex('#bcd6ff', 0.16), x)
  }
  const roof = await vector(
    f,
    '<path d="M-20 520L1500 660L2420 600L2420 660L1500 735L-20 620Z"/><path d="M300 640l14 0 60 460-14 0zM900 690l12 0 40 420-12 0zM1520 720l12 0 20 400-12 0z"/>' +
      masts
        .map(
          ([x, y]) =>
            `<path d="M${x - 7} ${y}h14l8 1100h-30z"/><rect x="${x - 120}" y="${y - 34}" width="240" height="62" rx="6"/>`,
        )
        .join(''),
  )
  over(f, blurMask(f, roof, 4), hex('#070a11'))
  for (const [x, y] of masts)
    for (let n = 0; n < 4; n++) flare(f, x - 84 + n * 56, y, 20, hex('#e2efff', 1.4), 0.5, 0.4)
  glow(f, 1200, 1150, 1500, 330, hex('#7fa6dd', 0.16))
  glow(f, 1700, 1240, 620, 190, hex('#ff5a2a', 0.3))
  for (const [row, dark] of [
    [0, 0.5],
    [1, 0.3],
    [2, 0.14],
    [3, 0],
  ] as const) {
    const m = await vector(f, crowd(300 + row, 1000 + row * 150, 52 + row * 26, 2400))
    over(f, row === 3 ? blurMask(f, m, 7) : m, blend(hex('#05070c'), hex('#2b3d60'), dark))
    light(
      f,
      rim(f, m, 4 + row, -10 - row * 3, 3),
      blend(hex('#9cc2ff'), hex('#ffb27a'), row / 4),
      row === 3 ? 0.3 : 0.9,
    )
  }
  bloom(f, 0.4, 0.9, 150)
  return f
}

export const grandstandFloodlights: Scene = {
  id: 'grandstand-floodlights',
  paint: stand,
  grade: { exposure: 1.1, saturation: 1.05 },
}
