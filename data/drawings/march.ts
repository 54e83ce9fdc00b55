/** Finding where a ray meets a solid, step by step. */
import type { Placed, Vec } from './solid.ts'

/** The last march's answer; reused, because a picture asks millions of times. */
export const found = { t: 0, miss: 0, x: 0, y: 0, z: 0 }

/** Whether the ray from o along d meets the body; the place is left in `found`. */
export function march(
  { solid, at, turn }: Placed,
  o: Vec,
  d: Vec,
  limit: number,
  pixel: number,
): boolean {
  const [px, py, pz] = [o[0] - at[0], o[1] - at[1], o[2] - at[2]]
  const lo = [0, 1, 2].map((k) => turn[k] * px + turn[k + 3] * py + turn[k + 6] * pz)
  const ld = [0, 1, 2].map((k) => turn[k] * d[0] + turn[k + 3] * d[1] + turn[k + 6] * d[2])
  let near = 0
  let far = limit
  for (let k = 0; k < 3; k++) {
    const a = (solid.min[k] - lo[k]) / ld[k]
    const b = (solid.max[k] - lo[k]) / ld[k]
    near = Math.max(near, Math.min(a, b))
    far = Math.min(far, Math.max(a, b))
  }
  found.miss = 1
  if (!(near < far)) return false
  let t = near
  let closest = Infinity
  for (let i = 0; i < 140 && t < far; i++) {
    const x = lo[0] + ld[0] * t
    const y = lo[1] + ld[1] * t
    const z = lo[2] + ld[2] * t
    const gap = solid.distance(x, y, z)
    const share = gap / Math.max(t * pixel, 1e-4)
    if (share < closest) {
      closest = share
      found.t = t
      found.x = x
      found.y = y
      found.z = z
    }
    if (share < 0.35) break
    t += gap * 0.86
  }
  found.miss = Math.max(0, closest - 0.35)
  return found.miss < 1
}
