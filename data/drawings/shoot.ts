/** The camera: marches rays to solids, shades them and the ground plane, with reflections and contact shadows. */
import { type Frame, type Mask, type Rgb, blend } from './frame.ts'
import { smooth } from './noise.ts'
import { found, march } from './march.ts'
import type { Look, Placed, Vec } from './solid.ts'
import { type View, dot, unit } from './view.ts'

export interface World {
  /** Light arriving from a direction: what glossy surfaces mirror. */
  env(x: number, y: number, z: number): Rgb
  /** Soft light from above and below. */
  above: Rgb
  below: Rgb
  sun?: { toward: Vec; colour: Rgb }
  lamps?: readonly { at: Vec; colour: Rgb; reach: number }[]
  /** Distance haze. */
  haze?: { colour: Rgb; reach: number }
}

function shade(
  world: World,
  look: Look,
  n: Vec,
  d: Vec,
  p: Vec,
  dim: number,
  lit: number,
  mirror: Rgb,
): Rgb {
  const sky = n[1] * 0.5 + 0.5
  const facing = Math.max(0, -dot(n, d))
  const fresnel = look.gloss + (1 - look.gloss) * (1 - facing) ** 5 * Math.min(1, look.gloss * 14)
  const c = [0, 0, 0]
  for (let k = 0; k < 3; k++)
    c[k] = look.base[k] * (world.below[k] + (world.above[k] - world.below[k]) * sky) * dim
  if (world.sun) {
    const toward = world.sun.toward
    const half = unit([toward[0] - d[0], toward[1] - d[1], toward[2] - d[2]])
    const spark = Math.max(0, dot(n, half)) ** 90 * 4 * fresnel
    const fall = Math.max(0, dot(n, toward)) * lit
    for (let k = 0; k < 3; k++)
      c[k] += world.sun.colour[k] * (look.base[k] * fall + spark * (fall > 0 ? lit : 0))
  }
  for (const lamp of world.lamps ?? []) {
    const to: Vec = [lamp.at[0] - p[0], lamp.at[1] - p[1], lamp.at[2] - p[2]]
    const far = Math.hypot(to[0], to[1], to[2])
    const toward: Vec = [to[0] / far, to[1] / far, to[2] / far]
    const half = unit([toward[0] - d[0], toward[1] - d[1], toward[2] - d[2]])
    const power = 1 / (1 + (far / lamp.reach) ** 2)
    const fall = Math.max(0, dot(n, toward)) * power
    const spark = Math.max(0, dot(n, half)) ** 60 * 3 * fresnel * power
    for (let k = 0; k < 3; k++) c[k] += lamp.colour[k] * (look.base[k] * fall * dim + spark)
  }
  for (let k = 0; k < 3; k++)
    c[k] += mirror[k] * fresnel * (0.35 + 0.65 * dim) + (look.glow?.[k] ?? 0)
  return c as unknown as Rgb
}

/** Shades the point the last march found. */
function surface(world: World, body: Placed, d: Vec, far: number, pixel: number): Rgb {
  const { solid, turn } = body
  const { x, y, z } = found
  const e = Math.max(0.003, far * pixel * 0.7)
  const dist = solid.distance
  const ln = unit([
    dist(x + e, y, z) - dist(x - e, y, z),
    dist(x, y + e, z) - dist(x, y - e, z),
    dist(x, y, z + e) - dist(x, y, z - e),
  ])
  // Closeness of other surfaces along the normal darkens: wheel arches, seams, under the wing.
  let dim = 1
  for (const reach of [0.05, 0.14, 0.32]) {
    dim -=
      Math.max(0, reach - dist(x + ln[0] * reach, y + ln[1] * reach, z + ln[2] * reach)) *
      (1.1 / reach) *
      0.33
  }
  const n = [0, 1, 2].map(
    (k) => turn[k * 3] * ln[0] + turn[k * 3 + 1] * ln[1] + turn[k * 3 + 2] * ln[2],
  ) as unknown as Vec
  const p = [0, 1, 2].map(
    (k) => body.at[k] + turn[k * 3] * x + turn[k * 3 + 1] * y + turn[k * 3 + 2] * z,
  ) as unknown as Vec
  const k = 2 * dot(n, d)
  const mirror = world.env(d[0] - n[0] * k, d[1] - n[1] * k, d[2] - n[2] * k)
  const colour = shade(
    world,
    solid.look(x, y, z, ln[0], ln[1], ln[2]),
    n,
    d,
    p,
    Math.max(0.05, dim),
    1,
    mirror,
  )
  return world.haze ? blend(world.haze.colour, colour, Math.exp(-far / world.haze.reach)) : colour
}

/** Paints solids over the frame; answers their coverage. */
export function solids(f: Frame, v: View, world: World, bodies: readonly Placed[]): Mask {
  const covered = new Float32Array(f.w * f.h)
  const pixel = v.pixel / f.scale
  for (let j = 0; j < f.h; j++) {
    for (let i = 0; i < f.w; i++) {
      const at = j * f.w + i
      const behind: Rgb = [f.rgb[at * 3], f.rgb[at * 3 + 1], f.rgb[at * 3 + 2]]
      // Two rays a pixel: outlines are smooth anyway, but stripes and lamps on a body are not.
      for (const part of [0.25, 0.75]) {
        const d = v.ray((i + part) / f.scale, (j + part) / f.scale)
        const hits: { alpha: number; far: number; colour: Rgb }[] = []
        for (const body of bodies) {
          if (!march(body, v.eye, d, 400, pixel)) continue
          const far = found.t
          hits.push({ alpha: 1 - found.miss, far, colour: surface(world, body, d, far, pixel) })
        }
        hits.sort((a, b) => b.far - a.far)
        let colour = behind
        for (const hit of hits) {
          covered[at] = Math.max(covered[at], hit.alpha)
          colour = blend(colour, hit.colour, hit.alpha)
        }
        if (hits.length === 0) continue
        for (let k = 0; k < 3; k++) f.rgb[at * 3 + k] += (colour[k] - behind[k]) / 2
      }
    }
  }
  return covered
}

export interface Floor extends Look {
  /** Slopes that disturb the mirror image. */
  bump?: readonly [number, number]
}

/** Paints the plane y = 0 below the horizon, with what stands on it mirrored and shadowed. */
export function ground(
  f: Frame,
  v: View,
  world: World,
  floor: (x: number, z: number, far: number) => Floor,
  bodies: readonly Placed[] = [],
): void {
  for (let j = 0; j < f.h; j++) {
    for (let i = 0; i < f.w; i++) {
      const d = v.ray((i + 0.5) / f.scale, (j + 0.5) / f.scale)
      if (d[1] > -1e-4) continue
      const far = -v.eye[1] / d[1]
      if (far > 900) continue
      const p: Vec = [v.eye[0] + d[0] * far, 0, v.eye[2] + d[2] * far]
      const look = floor(p[0], p[2], far)
      const [bx, bz] = look.bump ?? [0, 0]
      const n = unit([-bx, 1, -bz])
      const k = 2 * dot(n, d)
      const r: Vec = unit([d[0] - n[0] * k, Math.max(0.01, d[1] - n[1] * k), d[2] - n[2] * k])
      let mirror = look.gloss > 0.004 ? world.env(r[0], r[1], r[2]) : ([0, 0, 0] as const)
      let dim = 1
      let lit = 1
      for (const body of bodies) {
        dim *= contact(body, p)
        if (dim > 0.02 && world.sun && march(body, [p[0], 0.02, p[2]], world.sun.toward, 60, 0.07))
          lit *= found.miss
        if (look.gloss > 0.012 && march(body, [p[0], 0.01, p[2]], r, 60, 0.012)) {
          const seen = 1 - found.miss
          mirror = blend(mirror, surface(world, body, r, found.t, 0.01), seen)
        }
      }
      let colour = shade(world, look, n, d, p, dim, lit, mirror)
      if (world.haze) colour = blend(world.haze.colour, colour, Math.exp(-far / world.haze.reach))
      // The horizon line melts instead of cutting.
      const a = smooth(-0.0005, -0.004, d[1])
      const at = (j * f.w + i) * 3
      for (let c = 0; c < 3; c++) f.rgb[at + c] += (colour[c] - f.rgb[at + c]) * a
    }
  }
}

function contact({ solid, at, turn }: Placed, p: Vec): number {
  const [x, y, z] = [p[0] - at[0], 0.03 - at[1], p[2] - at[2]]
  if (Math.hypot(x, z) > 6) return 1
  const l = [0, 1, 2].map((k) => turn[k] * x + turn[k + 3] * y + turn[k + 6] * z)
  return 0.12 + 0.88 * smooth(-0.05, 0.55, solid.distance(l[0], l[1], l[2]))
}
