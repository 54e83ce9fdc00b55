/** Microphones in a row, leaning towards whoever speaks next. */
import { bloom, blur } from '../blur.ts'
import { bokeh } from '../effects.ts'
import { type Frame, blend, fill, frame, hex, mask, over } from '../frame.ts'
import { smooth } from '../noise.ts'
import { type World, solids } from '../shoot.ts'
import { place } from '../solid.ts'
import { microphone } from '../things.ts'
import { view } from '../view.ts'
import type { Scene } from './scene.ts'
import { tent } from './studio.ts'

async function microphones(): Promise<Frame> {
  const f = frame(2400, 1600)
  fill(f, (x, y) =>
    blend(hex('#07090e'), hex('#1b2434'), smooth(1500, 200, Math.hypot(x - 1500, y - 420))),
  )
  bokeh(f, 50, 70, (roll) => ({
    x: roll() * 2400,
    y: roll() * 900,
    r: 24 + roll() * 70,
    colour: hex(['#ff5a2a', '#ffb25a', '#9cc6ef'][(roll() * 3) | 0], 0.03 + roll() * 0.14),
  }))
  const v = view(f, [0.12, 0.42, 1.5], [0.02, 0.2, 0], 31)
  const set = [
    place(microphone(hex('#ff3a12')), [-0.34, -0.03, -0.05], 20, 0, -14),
    place(microphone(null), [-0.16, 0.06, -0.16], 0, 0, -6),
    place(microphone(hex('#e9eef2')), [0.02, 0, 0.06], 38, 0, 2),
    place(microphone(hex('#2f6f9a')), [0.2, 0.05, -0.12], 10, 0, 7),
    place(microphone(hex('#f2a01c')), [0.37, -0.04, 0.0], 30, 0, 15),
    place(microphone(null), [0.55, 0.02, -0.2], 0, 0, 20),
    place(microphone(null), [-0.55, 0.03, -0.25], 0, 0, -20),
  ].map((m) => ({ ...m }))
  // Roll tips them about the long axis of the picture, so the heads lean towards the speaker.
  for (const [i, m] of set.entries())
    set[i] = place(m.solid, m.at, 0, [14, 6, -3, -8, -15, -20, 20][i], 16)
  const world: World = {
    env: tent(hex('#cfe4ff', 2.4), hex('#ff7a40', 2.4)),
    above: hex('#6a80a6', 0.45),
    below: hex('#120f0e'),
    sun: { toward: [-0.72, 0.5, -0.48], colour: hex('#ff9a60', 2.2) },
    lamps: [{ at: [0.9, 0.9, 0.6], colour: hex('#b4d4fa', 2.6), reach: 0.7 }],
  }
  solids(
    f,
    v,
    world,
    set.filter((_, i) => i > 4),
  )
  blur(f, 7)
  solids(
    f,
    v,
    world,
    set.filter((_, i) => i <= 4),
  )
  const low = mask(f, (_x, y) => smooth(1100, 1600, y))
  over(f, low, hex('#05060a'), 0.85)
  bloom(f, 0.36, 0.9, 120)
  return f
}

export const microphoneBank: Scene = {
  id: 'microphone-bank',
  paint: microphones,
  grade: { exposure: 1.1, saturation: 1.06 },
}
