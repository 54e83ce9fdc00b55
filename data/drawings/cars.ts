/** Bodied cars: a side outline met by a width that varies, plus wheels, lights and aero parts. */
import { type Rgb, blend, hex } from './frame.ts'
import { smooth } from './noise.ts'
import { type Look, type Solid, brick, cap, carve, drum, egg, join, profile, rod } from './solid.ts'

type Outline = readonly (readonly [number, number])[]

export interface Shape {
  body: Outline
  cabin: Outline
  /** Half widths: of the body, of the cabin at the belt line and at the roof. */
  half: number
  cabinLow: number
  cabinHigh: number
  belt: number
  roof: number
  axles: readonly [number, number]
  wheel: { radius: number; width: number; steer?: number }
  flare: number
  /** How far the corners are rounded in plan. */
  corner: number
  /** Splitter and floor of a race car. */
  aero?: boolean
  pods?: boolean
  scoop?: boolean
  wing?: { x: number; y: number; half: number; chord: number }
  lamps: { round: boolean; y: number; z: number; size: number }
  paint(x: number, y: number, z: number): Rgb
  headlight?: Rgb
  taillight?: Rgb
  pillars: readonly number[]
}

const black = hex('#06070a')
const rubber: Look = { base: hex('#15161a'), gloss: 0.012 }
const glass: Look = { base: hex('#04060a'), gloss: 0.07 }
const metal: Look = { base: hex('#5d636d'), gloss: 0.3 }

export function car(s: Shape): Solid {
  const side = profile(s.body)
  const cabin = profile(s.cabin)
  const front = Math.max(...s.body.map((p) => p[0]))
  const back = Math.min(...s.body.map((p) => p[0]))
  const { radius, width } = s.wheel
  const track = s.half - width * 0.42

  const halfWidth = (x: number, y: number): number => {
    const along = (x - (front + back) / 2) / ((front - back) / 2)
    const bulge = s.axles.reduce((sum, at) => sum + Math.exp(-(((x - at) / 0.42) ** 2)), 0)
    const waist = 0.1 * Math.max(0, y - 0.62) + 0.12 * Math.max(0, 0.42 - y)
    return s.half * (1 - s.corner * along ** 8) + s.flare * bulge * smooth(1, 0.55, y) - waist
  }
  const shell = (x: number, y: number, z: number): number => {
    const arch = Math.min(
      ...s.axles.map((at) =>
        drum(Math.hypot(x - at, y - radius), Math.abs(z) - 1.2, radius * 1.14, 0.75),
      ),
    )
    return carve(cap(side(x, y), Math.abs(z) - halfWidth(x, y), 0.13), arch, 0.035)
  }
  const top = (x: number, y: number, z: number): number => {
    const t = Math.min(1.2, Math.max(-0.4, (y - s.belt) / (s.roof - s.belt)))
    return cap(cabin(x, y), (Math.abs(z) - s.cabinLow - (s.cabinHigh - s.cabinLow) * t) * 0.93, 0.1)
  }
  const steer = ((s.wheel.steer ?? 0) * Math.PI) / 180
  const local = (x: number, z: number, i: number): [number, number] => {
    const [dx, dz] = [x - s.axles[i], Math.abs(z) - track]
    if (i === 1 || steer === 0) return [dx, dz]
    const flip = z < 0 ? -1 : 1
    return [
      dx * Math.cos(steer) + flip * dz * Math.sin(steer),
      dz * Math.cos(steer) - flip * dx * Math.sin(steer),
    ]
  }
  const wheels = (x: number, y: number, z: number): number => {
    const i = x > (s.axles[0] + s.axles[1]) / 2 ? 0 : 1
    const [dx, dz] = local(x, z, i)
    const r = Math.hypot(dx, y - radius)
    const tyre = drum(r, dz, radius, width / 2, 0.045)
    // A dished rim: the face is sunk, spokes come back out.
    const spokes = Math.cos(Math.atan2(y - radius, dx) * 5) > 0.35 ? 0.035 : 0.085
    return Math.max(
      tyre,
      -drum(r, dz - width / 2, radius * 0.7, r < radius * 0.16 ? 0.02 : spokes, 0.01),
    )
  }
  const aero = (x: number, y: number, z: number): number => {
    let d = egg(
      x - s.cabin[1][0] + 0.16,
      y - s.belt - 0.08,
      Math.abs(z) - s.half - 0.03,
      0.055,
      0.05,
      0.09,
    )
    if (s.aero) {
      d = Math.min(
        d,
        brick(x - 0.1, y - 0.2, z, (front - back) / 2 - 0.4, 0.035, s.half * 0.98, 0.02),
      )
      d = Math.min(d, brick(x - front + 0.2, y - 0.17, z, 0.17, 0.014, s.half * 0.8, 0.008))
    }
    if (s.wing) {
      const { x: wx, y: wy, half, chord } = s.wing
      d = Math.min(d, brick(x - wx, y - wy - (x - wx) * -0.14, z, chord, 0.018, half, 0.012))
      d = Math.min(d, brick(x - wx, y - wy, Math.abs(z) - half, chord * 1.05, 0.055, 0.012, 0.008))
      d = Math.min(
        d,
        brick(
          x - wx - 0.03 - (wy - y) * 0.25,
          y - wy + 0.13,
          Math.abs(z) - half * 0.55,
          0.06,
          0.13,
          0.014,
          0.008,
        ),
      )
    }
    if (s.scoop)
      d = Math.min(d, brick(x - 0.1, y - s.roof - 0.03 + x * 0.03, z, 0.16, 0.06, 0.17, 0.03))
    return d
  }
  const podX = front - 0.16
  const pods = (x: number, y: number, z: number): number => {
    if (!s.pods) return 9
    const a = Math.min(Math.abs(Math.abs(z) - 0.2), Math.abs(Math.abs(z) - 0.56))
    return join(
      drum(Math.hypot(y - 0.8, a), x - podX, 0.135, 0.09, 0.03),
      rod(x, y, z, [podX - 0.15, 0.76, -0.6], [podX - 0.15, 0.76, 0.6], 0.03),
      0.02,
    )
  }
  const distance = (x: number, y: number, z: number): number => {
    const body = join(shell(x, y, z), top(x, y, z), 0.035)
    return Math.min(body, wheels(x, y, z), aero(x, y, z), pods(x, y, z))
  }

  return {
    min: [back - 0.45, -0.02, -s.half - 0.4],
    max: [front + 0.3, s.roof + 0.5, s.half + 0.4],
    distance,
    look(x, y, z, nx, _ny, nz) {
      const d = distance(x, y, z) + 0.006
      const a = Math.abs(z)
      if (pods(x, y, z) < d)
        return x > podX + 0.05
          ? { base: black, gloss: 0.05, glow: s.headlight }
          : { base: black, gloss: 0.04 }
      if (wheels(x, y, z) < d) {
        const i = x > (s.axles[0] + s.axles[1]) / 2 ? 0 : 1
        return Math.hypot(local(x, z, i)[0], y - radius) < radius * 0.715 ? metal : rubber
      }
      if (aero(x, y, z) < d)
        return y > s.belt ? { base: s.paint(x, y, z), gloss: 0.04 } : { base: black, gloss: 0.03 }
      if (top(x, y, z) < shell(x, y, z) && window(s, x, y, nx, nz, a)) return glass
      const { lamps } = s
      const lens = lamps.round
        ? Math.hypot(a - lamps.z, y - lamps.y) < lamps.size
        : Math.abs(y - lamps.y - (a - lamps.z) * 0.22) < lamps.size * 0.42 &&
          Math.abs(a - lamps.z) < lamps.size * 1.5
      if (nx > (lamps.round ? 0.25 : 0.42) && lens && x > front - 0.5)
        return { base: hex('#aab4c0'), gloss: 0.1, glow: s.headlight }
      if (nx < -0.3 && Math.abs(y - lamps.y - 0.12) < 0.05 && a > s.half - 0.42)
        return { base: hex('#500807'), gloss: 0.08, glow: s.taillight }
      if (nx > 0.4 && y > 0.3 && y < 0.54 && a < s.half * 0.62) return { base: black, gloss: 0.02 }
      return { base: seams(s, x, y, nz, s.paint(x, y, z)), gloss: 0.05 }
    },
  }
}

/** Glass of the side windows, the screens and nothing of the pillars. */
function window(s: Shape, x: number, y: number, nx: number, nz: number, a: number): boolean {
  const t = (y - s.belt) / (s.roof - s.belt)
  if (t < 0.1 || t > 0.86) return false
  if (Math.abs(nz) > 0.6)
    return !s.pillars.some((at) => Math.abs(x - at - (t - 0.5) * 0.06) < 0.045)
  return Math.abs(nx) > 0.22 && a < s.cabinLow + (s.cabinHigh - s.cabinLow) * t - 0.07
}

/** Door shut lines and the sill, as thin darker cuts in the paint. */
function seams(s: Shape, x: number, y: number, nz: number, base: Rgb): Rgb {
  if (Math.abs(nz) < 0.7 || y < 0.27) return base
  const [first, last] = [s.pillars[0] ?? 0, s.pillars[s.pillars.length - 1] ?? 0]
  const near = Math.min(
    Math.abs(x - first - 0.02),
    Math.abs(x - last),
    Math.abs(y - 0.34) + (x > first || x < last ? 9 : 0),
  )
  return blend(black, base, smooth(0.003, 0.011, near))
}
