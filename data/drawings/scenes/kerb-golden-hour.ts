/** An empty corner at golden hour, seen from the height of the kerb. */
import { bloom, blur } from '../blur.ts'
import { bokeh, flare, glow } from '../effects.ts'
import { type Frame, blend, each, fill, frame, hex, ramp, times } from '../frame.ts'
import { fbm, smooth } from '../noise.ts'
import { type World, ground } from '../shoot.ts'
import { forest } from '../trees.ts'
import { view } from '../view.ts'
import type { Scene } from './scene.ts'

async function kerb(): Promise<Frame> {
  const f = frame(2400, 1600)
  const v = view(f, [0, 0.34, 0], [3.2, 0.42, 20], 40, -1)
  const sky = ramp([
    [0, hex('#2c3550')],
    [0.22, hex('#77607a')],
    [0.38, hex('#e88a52', 1.1)],
    [0.47, hex('#ffc670', 1.7)],
    [1, hex('#ffb45e')],
  ])
  fill(f, (_x, y) => sky(y / 1600))
  glow(f, 1560, 690, 520, 330, hex('#ffb04a', 1.5))
  await forest(f, [
    { seed: 3, base: 765, low: 60, high: 150, gap: 16, colour: hex('#b5653a', 0.75), soft: 6 },
    { seed: 4, base: 772, low: 40, high: 100, gap: 60, colour: hex('#4d2a20', 0.7), soft: 7 },
  ])
  flare(f, 1560, 690, 46, hex('#ffcf88', 2.6), 0.9, 0.7)
  const world: World = {
    env: (x, y, z) =>
      blend(
        sky(0.5 - y * 0.5),
        hex('#ffd28a', 4),
        Math.max(0, 0.13 * x + 0.99 * z) ** 40 * smooth(0.55, 0.02, y),
      ),
    above: hex('#8d8fb0', 0.85),
    below: hex('#6b4a35', 0.4),
    sun: { toward: [0.21, 0.13, 0.968], colour: hex('#ffb25e', 2.1) },
    haze: { colour: hex('#f3a862', 0.95), reach: 60 },
  }
  // The kerb follows an arc; `side` is the signed distance from its inner edge.
  const centre = 62
  ground(f, v, world, (x, z, far) => {
    const radius = Math.hypot(x - centre, z - 4)
    const side = radius - (centre - 0.55)
    const along = Math.atan2(z - 4, centre - x) * centre
    const fine = Math.max(0.15, 1 - far / 26)
    const grit = fbm(x * 34, z * 34, 3, 5) * fine
    const bump = (s: number): [number, number] => [
      fbm(x * 26, z * 26, 3, 7) * s * fine,
      fbm(x * 26, z * 26, 3, 17) * s * fine,
    ]
    if (side > -0.62 && side < 0.5) {
      const red = Math.floor(along / 1.05 + 400) % 2 === 0
      const ridge = Math.sin((along / 0.26) * Math.PI) * 0.26 * smooth(24, 3, far)
      const worn = smooth(-0.1, 0.5, fbm(x * 2.4, z * 2.4, 4, 21)) * 0.55
      const base = blend(
        red ? hex('#d32a0c') : hex('#dcd8cf'),
        hex('#34302e'),
        worn * (side < -0.1 ? 0.9 : 0.55),
      )
      const b = bump(0.16)
      return { base: times(base, 0.85 + grit * 0.4), gloss: 0.01, bump: [b[0], b[1] + ridge] }
    }
    if (side <= -0.62) {
      const groove = Math.exp(-(((side + 2.1 + 0.35 * Math.sin(along / 19)) / 0.75) ** 2))
      const line = smooth(0.02, 0.0, Math.abs(side + 0.78) - 0.05)
      const base = blend(
        times(hex('#4a484a'), 0.7 + grit * 0.9 - groove * 0.34),
        hex('#d8d4ca'),
        line * 0.85,
      )
      return { base, gloss: 0.02 + groove * 0.03, bump: bump(0.34) }
    }
    const grass = 0.6 + 0.5 * fbm(x * 9, z * 9, 4, 40)
    return { base: times(hex('#4b5522'), grass), gloss: 0.002, bump: bump(0.8) }
  })
  const blurred = blur({ ...f, rgb: f.rgb.slice() }, 13)
  // The focus lies on the kerb a few metres out: the near edge and the far distance go soft.
  each(f, (_x, y, i) => {
    const t = Math.max(smooth(1330, 1600, y), smooth(900, 790, y))
    for (let k = 0; k < 3; k++) f.rgb[i * 3 + k] += (blurred.rgb[i * 3 + k] - f.rgb[i * 3 + k]) * t
  })
  bokeh(f, 8, 26, (roll) => ({
    x: 900 + roll() * 1400,
    y: 560 + roll() * 420,
    r: 6 + roll() ** 2 * 26,
    colour: hex('#ffb866', 0.02 + roll() * 0.05),
  }))
  bloom(f, 0.34, 1.1, 150)
  return f
}

export const kerbGoldenHour: Scene = {
  id: 'kerb-golden-hour',
  paint: kerb,
  grade: { exposure: 0.8, saturation: 1.08, shadows: [0.003, 0.002, 0.004] },
}
