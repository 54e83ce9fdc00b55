/** Solid shapes as distance functions, in metres: x forward, y up, z to the right-hand side. */
import type { Rgb } from './frame.ts'

export type Vec = readonly [number, number, number]

/** How a surface answers light. Gloss is the share reflected head-on; glow is light of its own. */
export interface Look {
  readonly base: Rgb
  readonly gloss: number
  readonly glow?: Rgb
}

export interface Solid {
  readonly min: Vec
  readonly max: Vec
  distance(x: number, y: number, z: number): number
  look(x: number, y: number, z: number, nx: number, ny: number, nz: number): Look
}

export interface Placed {
  readonly solid: Solid
  readonly at: Vec
  /** Rows of the rotation from the solid's axes to the world's. */
  readonly turn: readonly number[]
}

/** Puts a solid into the world: yaw about the vertical, then pitch (nose up) and roll, in degrees. */
export function place(solid: Solid, at: Vec, yaw = 0, pitch = 0, roll = 0): Placed {
  const [a, b, c] = [yaw, pitch, roll].map((degrees) => (degrees * Math.PI) / 180)
  const [ca, sa, cb, sb, cc, sc] = [
    Math.cos(a),
    Math.sin(a),
    Math.cos(b),
    Math.sin(b),
    Math.cos(c),
    Math.sin(c),
  ]
  const turn = [
    ca * cb,
    -ca * sb * cc + sa * sc,
    ca * sb * sc + sa * cc,
    sb,
    cb * cc,
    -cb * sc,
    -sa * cb,
    sa * sb * cc + ca * sc,
    -sa * sb * sc + ca * cc,
  ]
  return { solid, at, turn }
}

/** A point of a placed solid in world coordinates, for flares and smoke. */
export function worldPoint({ at, turn }: Placed, p: Vec): Vec {
  return [
    at[0] + turn[0] * p[0] + turn[1] * p[1] + turn[2] * p[2],
    at[1] + turn[3] * p[0] + turn[4] * p[1] + turn[5] * p[2],
    at[2] + turn[6] * p[0] + turn[7] * p[1] + turn[8] * p[2],
  ]
}

/** Intersection, union and difference with a rounded seam of size k. */
export function cap(a: number, b: number, k: number): number {
  const h = Math.max(k - Math.abs(a - b), 0)
  return Math.max(a, b) + (h * h) / (4 * k)
}
export function join(a: number, b: number, k: number): number {
  const h = Math.max(k - Math.abs(a - b), 0)
  return Math.min(a, b) - (h * h) / (4 * k)
}
export const carve = (a: number, b: number, k: number): number => cap(a, -b, k)

export function brick(
  x: number,
  y: number,
  z: number,
  hx: number,
  hy: number,
  hz: number,
  round = 0.01,
): number {
  const qx = Math.abs(x) - hx + round
  const qy = Math.abs(y) - hy + round
  const qz = Math.abs(z) - hz + round
  const outside = Math.hypot(Math.max(qx, 0), Math.max(qy, 0), Math.max(qz, 0))
  return outside + Math.min(Math.max(qx, qy, qz), 0) - round
}

/** A disc or tube: `radial` and `along` are distances from its axis and its middle. */
export function drum(
  radial: number,
  along: number,
  radius: number,
  half: number,
  round = 0.01,
): number {
  const qx = radial - radius + round
  const qy = Math.abs(along) - half + round
  return Math.hypot(Math.max(qx, 0), Math.max(qy, 0)) + Math.min(Math.max(qx, qy), 0) - round
}

/** A rod with round ends from a to b. */
export function rod(x: number, y: number, z: number, a: Vec, b: Vec, radius: number): number {
  const px = x - a[0]
  const py = y - a[1]
  const pz = z - a[2]
  const dx = b[0] - a[0]
  const dy = b[1] - a[1]
  const dz = b[2] - a[2]
  const t = Math.min(1, Math.max(0, (px * dx + py * dy + pz * dz) / (dx * dx + dy * dy + dz * dz)))
  return Math.hypot(px - dx * t, py - dy * t, pz - dz * t) - radius
}

/** Ellipsoid, close enough for marching. */
export function egg(x: number, y: number, z: number, rx: number, ry: number, rz: number): number {
  const k = Math.hypot(x / rx, y / ry, z / rz)
  const g = Math.hypot(x / (rx * rx), y / (ry * ry), z / (rz * rz))
  return g < 1e-6 ? -Math.min(rx, ry, rz) : (k * (k - 1)) / g
}

type Point = readonly [number, number]

/** A closed curve through the points (Catmull-Rom), as a polygon. */
function curve(points: readonly Point[], parts = 10): Point[] {
  const n = points.length
  return points.flatMap((p1, i) => {
    const [p0, p2, p3] = [points[(i + n - 1) % n], points[(i + 1) % n], points[(i + 2) % n]]
    return Array.from({ length: parts }, (_, j): Point => {
      const t = j / parts
      const at = (a: number, b: number, c: number, d: number) =>
        0.5 *
        (2 * b +
          (c - a) * t +
          (2 * a - 5 * b + 4 * c - d) * t * t +
          (3 * b - a - 3 * c + d) * t * t * t)
      return [at(p0[0], p1[0], p2[0], p3[0]), at(p0[1], p1[1], p2[1], p3[1])]
    })
  })
}

/** Distance to a closed outline, sampled once into a grid: the march asks for it millions of times. */
export function profile(points: readonly Point[], step = 0.012): (x: number, y: number) => number {
  const line = curve(points)
  const x0 = Math.min(...line.map((p) => p[0])) - 0.4
  const y0 = Math.min(...line.map((p) => p[1])) - 0.4
  const w = Math.ceil((Math.max(...line.map((p) => p[0])) + 0.4 - x0) / step)
  const h = Math.ceil((Math.max(...line.map((p) => p[1])) + 0.4 - y0) / step)
  const grid = new Float32Array(w * h)
  for (let i = 0; i < grid.length; i++)
    grid[i] = outline(line, x0 + (i % w) * step, y0 + Math.floor(i / w) * step)
  return (x, y) => {
    const gx = Math.min(w - 1.001, Math.max(0, (x - x0) / step))
    const gy = Math.min(h - 1.001, Math.max(0, (y - y0) / step))
    const i = Math.floor(gy) * w + Math.floor(gx)
    const u = gx % 1
    const v = gy % 1
    const top = grid[i] + (grid[i + 1] - grid[i]) * u
    const low = grid[i + w] + (grid[i + w + 1] - grid[i + w]) * u
    // Beyond the grid the distance to its border is added.
    const past = Math.hypot(x - x0 - gx * step, y - y0 - gy * step)
    return top + (low - top) * v + (past > 0.002 ? past : 0)
  }
}

function outline(line: readonly Point[], x: number, y: number): number {
  let best = Infinity
  let inside = false
  for (let i = 0, j = line.length - 1; i < line.length; j = i++) {
    const [ax, ay] = line[j]
    const [bx, by] = line[i]
    const [dx, dy] = [bx - ax, by - ay]
    const t = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)))
    best = Math.min(best, (x - ax - dx * t) ** 2 + (y - ay - dy * t) ** 2)
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside
  }
  return Math.sqrt(best) * (inside ? -1 : 1)
}
