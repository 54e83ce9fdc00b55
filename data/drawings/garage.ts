/** The cars of the pictures. All are invented; liveries use the house colours. */
import { type Rgb, hex } from './frame.ts'
import { type Shape, car } from './cars.ts'
import type { Solid } from './solid.ts'

const ink = hex('#0d1014')
const signal = hex('#ff3a12')
const snow = hex('#e9eef2')
const amber = hex('#f2a01c')
const ice = hex('#7fb9d8')

/** Diagonal bands that read at any size, without lettering. */
function slashes(x: number, y: number, ground: Rgb, first: Rgb, second: Rgb): Rgb {
  const u = x * 0.9 - y * 1.15
  if (u > -0.62 && u < -0.2) return first
  if (u > -0.84 && u < -0.7) return second
  if (u > -1.0 && u < -0.93) return first
  return ground
}

/** A door plate, as race cars carry for their number. */
const plate = (x: number, y: number): boolean =>
  Math.abs(x - 0.16) < 0.26 && Math.abs(y - 0.68) < 0.17

export function hatch(options: Partial<Shape> & { steer?: number } = {}): Solid {
  return car({
    body: [
      [2.02, 0.2],
      [2.1, 0.32],
      [2.08, 0.56],
      [1.96, 0.74],
      [1.6, 0.86],
      [1.05, 0.97],
      [0.2, 1],
      [-1.2, 1.03],
      [-1.66, 1.02],
      [-1.82, 0.92],
      [-1.88, 0.6],
      [-1.82, 0.3],
      [-1.4, 0.19],
      [0, 0.18],
      [1.5, 0.18],
    ],
    cabin: [
      [1.24, 0.86],
      [1.08, 0.98],
      [0.32, 1.35],
      [-0.3, 1.42],
      [-0.95, 1.39],
      [-1.32, 1.3],
      [-1.68, 1.03],
      [-1.6, 0.85],
      [0, 0.78],
    ],
    half: 0.88,
    cabinLow: 0.8,
    cabinHigh: 0.58,
    belt: 0.98,
    roof: 1.41,
    axles: [1.28, -1.26],
    wheel: { radius: 0.335, width: 0.24, steer: options.steer },
    flare: 0.07,
    corner: 0.16,
    aero: true,
    scoop: true,
    wing: { x: -1.6, y: 1.41, half: 0.7, chord: 0.2 },
    lamps: { round: false, y: 0.69, z: 0.66, size: 0.12 },
    pillars: [0.98, -0.16, -1.02],
    paint: (x, y, z) =>
      Math.abs(z) > 0.7 && plate(x, y) ? snow : slashes(x, y, ink, signal, snow),
    ...options,
  })
}

/** A low coupé for circuit pictures. */
export function coupe(options: Partial<Shape> & { steer?: number } = {}): Solid {
  return car({
    body: [
      [2.24, 0.16],
      [2.34, 0.26],
      [2.28, 0.44],
      [2.0, 0.62],
      [1.5, 0.76],
      [0.95, 0.84],
      [0, 0.86],
      [-1, 0.93],
      [-1.75, 0.97],
      [-2.12, 0.92],
      [-2.22, 0.7],
      [-2.15, 0.3],
      [-1.6, 0.14],
      [0, 0.13],
      [1.5, 0.13],
    ],
    cabin: [
      [1.15, 0.74],
      [0.92, 0.87],
      [0.1, 1.18],
      [-0.4, 1.23],
      [-0.95, 1.18],
      [-1.75, 0.98],
      [-1.6, 0.8],
      [0, 0.7],
    ],
    half: 0.96,
    cabinLow: 0.78,
    cabinHigh: 0.54,
    belt: 0.88,
    roof: 1.22,
    axles: [1.36, -1.32],
    wheel: { radius: 0.345, width: 0.32, steer: options.steer },
    flare: 0.06,
    corner: 0.17,
    aero: true,
    wing: { x: -2.02, y: 1.24, half: 0.86, chord: 0.18 },
    lamps: { round: false, y: 0.6, z: 0.68, size: 0.11 },
    pillars: [0.8, -0.55],
    paint: (x, y, z) => {
      if (Math.abs(z) < 0.2 && y > 0.6) return Math.abs(z) < 0.14 ? signal : snow
      return slashes(x * 0.8, y, snow, ink, signal)
    },
    ...options,
  })
}

/** A 1960s-style two-door saloon. */
export function saloon(options: Partial<Shape> = {}): Solid {
  return car({
    body: [
      [2.0, 0.34],
      [2.06, 0.5],
      [2.02, 0.76],
      [1.84, 0.86],
      [1.0, 0.9],
      [0, 0.93],
      [-1.2, 0.92],
      [-1.9, 0.86],
      [-2.05, 0.74],
      [-2.06, 0.48],
      [-1.96, 0.34],
      [-1.4, 0.25],
      [0, 0.24],
      [1.5, 0.26],
    ],
    cabin: [
      [0.92, 0.84],
      [0.8, 0.92],
      [0.34, 1.34],
      [-0.1, 1.41],
      [-0.78, 1.39],
      [-1.08, 1.28],
      [-1.36, 0.92],
      [-1.2, 0.8],
      [0, 0.75],
    ],
    half: 0.78,
    cabinLow: 0.72,
    cabinHigh: 0.57,
    belt: 0.92,
    roof: 1.4,
    axles: [1.24, -1.2],
    wheel: { radius: 0.31, width: 0.17 },
    flare: 0.015,
    corner: 0.1,
    lamps: { round: true, y: 0.68, z: 0.56, size: 0.115 },
    pillars: [0.76, -0.42],
    paint: (x, y, z) => {
      if (Math.abs(z) > 0.6 && Math.hypot(x + 0.0, y - 0.66) < 0.2) return snow
      return Math.abs(z - 0.22) < 0.11 && y > 0.7 ? snow : hex('#c0220c')
    },
    ...options,
  })
}

export const liveries = {
  ice: (x: number, y: number, z: number): Rgb =>
    Math.abs(z) > 0.7 && plate(x, y) ? snow : slashes(x, y, snow, ice, ink),
  amber: (x: number, y: number): Rgb => slashes(x, y, ink, amber, snow),
  signal: (x: number, y: number): Rgb => slashes(x, y, signal, ink, snow),
}
