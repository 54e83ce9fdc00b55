/** A cinema camera waits in front of the lights of a circuit. */
import { bloom } from '../blur.ts'
import { cinema } from '../camera.ts'
import { bokeh, flare } from '../effects.ts'
import { type Frame, fill, frame, hex, ramp } from '../frame.ts'
import { type World, solids } from '../shoot.ts'
import { place } from '../solid.ts'
import { picture } from '../texture.ts'
import { view } from '../view.ts'
import type { Scene } from './scene.ts'
import { tent } from './studio.ts'

async function camera(): Promise<Frame> {
  const f = frame(2400, 1600)
  const sky = ramp([
    [0, hex('#060a12')],
    [0.5, hex('#152238')],
    [0.62, hex('#8a4a34', 0.9)],
    [0.7, hex('#1a1518')],
    [1, hex('#07080a')],
  ])
  fill(f, (_x, y) => sky(y / 1600))
  bokeh(f, 71, 90, (roll) => ({
    x: roll() * 2400,
    y: 620 + (roll() - 0.5) * 520 * roll(),
    r: 16 + roll() * 46,
    colour: hex(
      ['#ff5a2a', '#ffb25a', '#9cc6ef', '#ffe6c0'][(roll() * 4) | 0],
      0.04 + roll() * 0.22,
    ),
  }))
  const v = view(f, [1.75, 0.25, 1.85], [0.2, 0.04, 0], 31)
  const rig = place(cinema(await picture('rallycross-launch', 600, 400)), [0, 0, 0], 0)
  const world: World = {
    env: tent(hex('#bcd8f5', 2), hex('#ff7a40', 2.4)),
    above: hex('#5b749c', 0.4),
    below: hex('#16110f'),
    sun: { toward: [-0.75, 0.5, -0.42], colour: hex('#ff9a60', 2.4) },
    lamps: [{ at: [1.6, 1.4, 1.6], colour: hex('#a9ccf5', 1.8), reach: 1.2 }],
  }
  solids(f, v, world, [rig])
  const p = v.project([0.22, 0.11, 0.127])
  flare(f, p.x, p.y, 7, hex('#ff2a10', 1.2), 0.3, 0.3)
  bloom(f, 0.38, 0.85, 120)
  return f
}

export const cinemaCamera: Scene = {
  id: 'cinema-camera',
  paint: camera,
  grade: { exposure: 1.15, saturation: 1.06 },
}
