/**
 * Seeded randomness: the same picture must come out on every machine, so nothing here uses Math.random.
 */

function hash(x: number, y: number, seed: number): number {
  let h = Math.imul(x, 374761393) ^ Math.imul(y, 668265263) ^ Math.imul(seed, 974634613)
  h = Math.imul(h ^ (h >>> 13), 1274126177)
  return (h ^ (h >>> 16)) >>> 0
}

/** Uniform 0..1 for a lattice cell. */
export function cell(x: number, y: number, seed = 0): number {
  return hash(x | 0, y | 0, seed) / 4294967296
}

/** A stream of uniform 0..1 numbers (mulberry32). */
export function dice(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const gradientX = new Float64Array(64)
const gradientY = new Float64Array(64)
for (let i = 0; i < 64; i++) {
  gradientX[i] = Math.cos((i / 64) * Math.PI * 2)
  gradientY[i] = Math.sin((i / 64) * Math.PI * 2)
}

/** Gradient noise, about -1..1. Value noise would show its square lattice in smoke. */
export function noise(x: number, y: number, seed = 0): number {
  const ix = Math.floor(x)
  const iy = Math.floor(y)
  const fx = x - ix
  const fy = y - iy
  const u = fx * fx * fx * (fx * (fx * 6 - 15) + 10)
  const v = fy * fy * fy * (fy * (fy * 6 - 15) + 10)
  const a = hash(ix, iy, seed) & 63
  const b = hash(ix + 1, iy, seed) & 63
  const c = hash(ix, iy + 1, seed) & 63
  const d = hash(ix + 1, iy + 1, seed) & 63
  const na = gradientX[a] * fx + gradientY[a] * fy
  const nb = gradientX[b] * (fx - 1) + gradientY[b] * fy
  const nc = gradientX[c] * fx + gradientY[c] * (fy - 1)
  const nd = gradientX[d] * (fx - 1) + gradientY[d] * (fy - 1)
  return (na + (nb - na) * u + (nc + (nd - nc) * u - na - (nb - na) * u) * v) * 1.5
}

/** Fractal noise, about -1..1. */
export function fbm(x: number, y: number, octaves = 5, seed = 0): number {
  let sum = 0
  let amplitude = 0.5
  for (let i = 0; i < octaves; i++) {
    sum += amplitude * noise(x, y, seed + i * 17)
    amplitude *= 0.5
    // The slight turn keeps the octaves' lattices from lining up.
    const turned = x * 1.62 + y * 1.18
    y = y * 1.62 - x * 1.18
    x = turned
  }
  return sum
}

/** Fractal noise bent by fractal noise, 0..1: the curl of dust, smoke and powder snow. */
export function billow(x: number, y: number, octaves = 5, seed = 0, bend = 1.2): number {
  const wx = fbm(x, y, 3, seed + 101)
  const wy = fbm(x + 5.2, y + 1.3, 3, seed + 202)
  return 0.5 + 0.75 * fbm(x + bend * wx, y + bend * wy, octaves, seed)
}

export function smooth(from: number, to: number, value: number): number {
  const t = Math.min(1, Math.max(0, (value - from) / (to - from)))
  return t * t * (3 - 2 * t)
}
