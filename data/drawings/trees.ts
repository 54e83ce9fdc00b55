/** The woods behind almost every Finnish track. */
import { blurMask } from './blur.ts'
import { type Frame, type Rgb, over, vector } from './frame.ts'
import { dice, noise } from './noise.ts'

/** A row of spruces as one path. `base` is where the ground is. */
function spruces(
  seed: number,
  from: number,
  to: number,
  base: (x: number) => number,
  low: number,
  high: number,
  gap: number,
): string {
  const roll = dice(seed)
  const paths: string[] = []
  for (let x = from; x < to; x += gap * (0.35 + roll() * 1.3)) {
    const tall = low + (high - low) * roll() ** 1.4 * (0.75 + 0.25 * noise(x / 400, seed))
    const half = tall * (0.1 + roll() * 0.06)
    const foot = base(x) + tall * 0.05
    const levels = 9 + Math.floor(roll() * 6)
    const lean = (roll() - 0.5) * tall * 0.03
    const left: string[] = []
    const right: string[] = []
    for (let i = 1; i <= levels; i++) {
      const t = i / levels
      const y = foot - tall * (1 - t * 0.93)
      const cx = x + lean * (1 - t)
      const w = half * (t * 0.92 + 0.05)
      left.push(
        `${(cx - w * (0.75 + roll() * 0.5)).toFixed(1)} ${y.toFixed(1)}`,
        `${(cx - w * 0.42).toFixed(1)} ${(y - tall * 0.018).toFixed(1)}`,
      )
      right.push(
        `${(cx + w * (0.75 + roll() * 0.5)).toFixed(1)} ${y.toFixed(1)}`,
        `${(cx + w * 0.42).toFixed(1)} ${(y - tall * 0.018).toFixed(1)}`,
      )
    }
    paths.push(
      `M${(x + lean).toFixed(1)} ${(foot - tall).toFixed(1)}L${left.join('L')}L${x - half * 0.1} ${foot}L${x + half * 0.1} ${foot}L${right.toReversed().join('L')}Z`,
    )
  }
  return `<path d="${paths.join('')}"/>`
}

/** A wood: rows from far and pale to near and dark. */
export async function forest(
  f: Frame,
  rows: readonly {
    seed: number
    base: number
    low: number
    high: number
    gap: number
    colour: Rgb
    soft: number
  }[],
  width = 2400,
): Promise<void> {
  for (const row of rows) {
    const foot = (x: number) => row.base + 14 * noise(x / 300, row.seed)
    const ground = `<rect x="-50" y="${row.base - row.low * 0.12}" width="${width + 100}" height="${row.low * 0.3}"/>`
    const m = await vector(
      f,
      spruces(row.seed, -60, width + 60, foot, row.low, row.high, row.gap) + ground,
    )
    over(f, row.soft > 0 ? blurMask(f, m, row.soft) : m, row.colour)
  }
}
