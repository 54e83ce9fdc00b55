/** Where the camera stands and what falls where in the picture. */
import type { Frame } from './frame.ts'
import type { Vec } from './solid.ts'

export interface View {
  eye: Vec
  ray(x: number, y: number): Vec
  /** Where a world point falls in the picture, and how far away it is. */
  project(p: Vec): { x: number; y: number; depth: number }
  /** Size of one full-size pixel at distance 1. */
  pixel: number
}

export const unit = (v: Vec): Vec => {
  const l = Math.hypot(v[0], v[1], v[2])
  return [v[0] / l, v[1] / l, v[2] / l]
}

const cross = (a: Vec, b: Vec): Vec => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]

export const dot = (a: Vec, b: Vec): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]

export function view(f: Frame, eye: Vec, target: Vec, fov: number, tilt = 0): View {
  const [w, h] = [f.w / f.scale, f.h / f.scale]
  const forward = unit([target[0] - eye[0], target[1] - eye[1], target[2] - eye[2]])
  const flat = unit(cross(forward, [0, 1, 0]))
  const up0 = cross(flat, forward)
  const [c, s] = [Math.cos((tilt * Math.PI) / 180), Math.sin((tilt * Math.PI) / 180)]
  const right: Vec = [flat[0] * c + up0[0] * s, flat[1] * c + up0[1] * s, flat[2] * c + up0[2] * s]
  const up: Vec = [up0[0] * c - flat[0] * s, up0[1] * c - flat[1] * s, up0[2] * c - flat[2] * s]
  const lens = (2 * Math.tan((fov * Math.PI) / 360)) / h
  return {
    eye,
    pixel: lens,
    ray(x, y) {
      const u = (x - w / 2) * lens
      const v = (h / 2 - y) * lens
      return unit([0, 1, 2].map((k) => forward[k] + right[k] * u + up[k] * v) as unknown as Vec)
    },
    project(p) {
      const d: Vec = [p[0] - eye[0], p[1] - eye[1], p[2] - eye[2]]
      const depth = dot(d, forward)
      return {
        x: w / 2 + dot(d, right) / depth / lens,
        y: h / 2 - dot(d, up) / depth / lens,
        depth,
      }
    },
  }
}
