/** Tail lamps draw the line of a corner while the shutter stays open. */
import { bloom } from '../blur.ts'
import {
  type Frame,
  type Rgb,
  blend,
  fill,
  frame,
  hex,
  light,
  mask,
  ramp,
  times,
  vector,
} from '../frame.ts'
import { cell, dice, fbm, noise, smooth } from '../noise.ts'
import { type World, ground } from '../shoot.ts'
import type { Vec } from '../solid.ts'
import { forest } from '../trees.ts'
import { view } from '../view.ts'
import type { Scene } from './scene.ts'

async function trails(): Promise<Frame> {
  const f = frame(2400, 1600)
  const v = view(f, [0, 5.2, -14], [3.5, 1.2, 24], 44, -1)
  const sky = ramp([
    [0, hex('#050914')],
    [0.3, hex('#0d1a33')],
    [0.46, hex('#2b3a5e', 0.9)],
    [1, hex('#1a2030')],
  ])
  fill(f, (_x, y) => sky(y / 1600))
  // Northern lights, faint enough to stay behind the red.
  light(
    f,
    mask(f, (x, y) => {
      const arc = 330 + 130 * Math.sin(x / 620 + 0.6) + 60 * fbm(x / 300, 1, 3, 5)
      const up = (arc - y) / 300
      const curtain = 0.55 + 0.6 * fbm(x / 34, y / 900, 4, 8)
      return up < 0 ? Math.exp(-((up * 3.4) ** 2)) * curtain : Math.exp(-up * 1.7) * curtain
    }),
    hex('#2fd6b4', 0.2),
  )
  light(
    f,
    mask(f, (x, y) =>
      cell((x / 2) | 0, (y / 2) | 0, 5) > 0.99955 && y < 620 ? 0.2 + cell(x | 0, y | 0, 6) : 0,
    ),
    hex('#cfe0ff', 1.2),
  )
  await forest(f, [
    { seed: 51, base: 700, low: 110, high: 260, gap: 16, colour: hex('#16233a'), soft: 3 },
    { seed: 52, base: 735, low: 170, high: 420, gap: 24, colour: hex('#080d16'), soft: 3 },
  ])
  const path = (t: number, lane: number, height: number): Vec => {
    const z = -12 + t * 92
    const x = 15 * Math.sin((z - 4) / 26) * smooth(-20, 30, z) - 3 + lane
    return [x, height, z]
  }
  const world: World = {
    env: (_x, y) => sky(0.46 - y * 0.46),
    above: hex('#5b78a8', 0.8),
    below: hex('#101218'),
    haze: { colour: hex('#1a2540'), reach: 90 },
  }
  ground(f, v, world, (x, z) => {
    const middle = path((z + 12) / 92, 0, 0)[0]
    const side = Math.abs(x - middle)
    const road = smooth(5.4, 5.2, side)
    const line = smooth(0.16, 0.1, Math.abs(side - 4.9))
    const kerbs =
      side > 5.05 && side < 6
        ? Math.floor(z / 1.4) % 2 === 0
          ? hex('#7c1c0c')
          : hex('#8d9096')
        : hex('#141b16')
    const warm = Math.exp(-(((x - middle + 2) / 3) ** 2)) * 0.8
    const grit = 0.8 + 0.4 * fbm(x * 6, z * 6, 3, 9)
    const base = blend(
      times(kerbs, 0.8),
      times(blend(hex('#2c3038'), hex('#a8301a'), warm), grit),
      road,
    )
    return {
      base: blend(base, hex('#b9c2d0'), line * road * 0.8),
      gloss: 0.03 * road,
      bump: [fbm(x * 9, z * 9, 2, 3) * 0.05, 0],
    }
  })
  const trail = async (
    lane: number,
    height: number,
    width: number,
    colour: Rgb,
    from = 0,
    to = 1,
  ): Promise<void> => {
    const pieces: string[] = []
    for (let i = 0; i < 260; i++) {
      const a = from + ((to - from) * i) / 260
      const wave = (t: number) => height + 0.012 * noise(t * 60, lane * 9)
      const p = v.project(path(a, lane, wave(a)))
      const q = v.project(path(a + (to - from) / 255, lane, wave(a + 0.004)))
      if (p.depth < 1 || q.depth < 1) continue
      pieces.push(
        `<path d="M${p.x.toFixed(1)} ${p.y.toFixed(1)}L${q.x.toFixed(1)} ${q.y.toFixed(1)}" stroke-width="${Math.max(1.2, (width * 1500) / p.depth).toFixed(1)}"/>`,
      )
    }
    const m = await vector(f, `<g stroke="#fff" stroke-linecap="round">${pieces.join('')}</g>`)
    light(f, m, colour)
  }
  const roll = dice(77)
  for (let i = 0; i < 9; i++) {
    const lane = -2.6 + roll() * 2.6
    const height = 0.62 + roll() * 0.3
    const gain = 0.8 + roll() * 2.4
    const start = roll() < 0.3 ? roll() * 0.2 : 0
    await trail(lane, height, 0.024, hex('#ff2a10', gain), start)
    await trail(lane + 1.35, height, 0.024, hex('#ff2a10', gain), start)
  }
  for (let i = 0; i < 4; i++) {
    const lane = 1.2 + roll() * 1.6
    await trail(
      lane,
      0.55 + roll() * 0.2,
      0.02,
      hex(i % 2 ? '#ffd9a0' : '#dcebff', 0.7 + roll()),
      0,
      0.8 + roll() * 0.2,
    )
    await trail(
      lane + 1.3,
      0.55 + roll() * 0.2,
      0.02,
      hex(i % 2 ? '#ffd9a0' : '#dcebff', 0.7 + roll()),
      0,
      0.8 + roll() * 0.2,
    )
  }
  bloom(f, 0.5, 0.7, 110)
  return f
}

export const nightLightTrails: Scene = {
  id: 'night-light-trails',
  paint: trails,
  grade: { exposure: 1.15, saturation: 1.1 },
}
