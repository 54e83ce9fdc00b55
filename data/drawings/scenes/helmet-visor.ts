/** A helmet in the dark; the circuit at night is mirrored in its visor. */
import { bloom } from '../blur.ts'
import { bokeh } from '../effects.ts'
import { type Frame, blend, fill, frame, hex, times } from '../frame.ts'
import { helmet } from '../helmet.ts'
import { smooth } from '../noise.ts'
import { type World, solids } from '../shoot.ts'
import { place } from '../solid.ts'
import { picture } from '../texture.ts'
import { view } from '../view.ts'
import type { Scene } from './scene.ts'
import { tent } from './studio.ts'

async function visor(): Promise<Frame> {
  const f = frame(2400, 1600)
  fill(f, (x, y) =>
    blend(hex('#06080c'), hex('#1c0d0c'), smooth(2200, 300, x) * smooth(1600, 500, y)),
  )
  bokeh(f, 9, 40, (roll) => ({
    x: roll() * 2400,
    y: 120 + roll() * 900,
    r: 30 + roll() * 80,
    colour: hex(['#ff5a2a', '#ffb25a', '#8fc4ef'][(roll() * 3) | 0], 0.02 + roll() * 0.09),
  }))
  const v = view(f, [1.75, 0.1, 0.95], [0.03, 0.02, 0.03], 27)
  const track = await picture('night-light-trails', 1200, 800)
  const box = tent(hex('#cfe6ff', 2.2), hex('#ff5a2a', 2.2))
  const world: World = {
    // The visor mirrors a circuit at night: the drawn picture hangs in front of the driver.
    env: (x, y, z) => {
      const base = box(x, y, z)
      if (x < -0.2) return base
      const u = 0.56 - Math.atan2(z, x) / 4
      const w = 0.72 - y * 0.4
      const inside =
        smooth(0, 0.06, u) * smooth(1, 0.94, u) * smooth(0.42, 0.55, w) * smooth(1, 0.85, w)
      return inside > 0 ? blend(base, times(track(u, w), 6), inside) : base
    },
    above: hex('#56688a', 0.3),
    below: hex('#120d0c'),
    sun: { toward: [-0.7, 0.45, -0.55], colour: hex('#ff7a45', 2.4) },
    lamps: [
      { at: [0.6, 1.6, -1.6], colour: hex('#a9d4ff', 3.6), reach: 1 },
      { at: [1.4, 0.8, 2], colour: hex('#cfdcf0', 0.9), reach: 1 },
    ],
  }
  solids(f, v, world, [place(helmet(hex('#c8cdd4'), hex('#ff3a12')), [0, 0, 0], 8, 2)])
  bloom(f, 0.38, 0.85, 120)
  return f
}

export const helmetVisor: Scene = {
  id: 'helmet-visor',
  paint: visor,
  grade: { exposure: 1.05, saturation: 1.08 },
}
