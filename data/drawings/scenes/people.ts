/** Figures as SVG outlines; they are only ever seen against the light. */
import { dice } from '../noise.ts'

/** Head and shoulders from behind, `size` is the height of the head. */
export function bust(x: number, y: number, size: number, roll: () => number): string {
  const w = size * (0.92 + roll() * 0.3)
  const s = size * (1.2 + roll() * 0.35)
  const tilt = (roll() - 0.5) * size * 0.2
  const cap = roll()
  const hat =
    cap < 0.3
      ? `<path d="M${x + tilt - w * 0.42} ${y - size * 0.62}q${w * 0.42} ${-size * 0.62} ${w * 0.84} 0z"/><circle cx="${x + tilt}" cy="${y - size * 1.0}" r="${size * (cap < 0.12 ? 0.13 : 0.01)}"/>`
      : cap < 0.5
        ? `<path d="M${x + tilt - w * 0.44} ${y - size * 0.62}q${w * 0.1} ${-size * 0.46} ${w * 0.46} ${-size * 0.44}q${w * 0.36} 0 ${w * 0.44} ${size * 0.36}l${w * 0.3} ${size * 0.06}l0 ${size * 0.07}z"/>`
        : ''
  return (
    `<ellipse cx="${x + tilt}" cy="${y - size * 0.5}" rx="${w * 0.38}" ry="${size * 0.5}"/>${hat}` +
    `<path d="M${x - s} ${y + size * 3}C${x - s} ${y + size * 0.5} ${x - s * 0.75} ${y + size * 0.22} ${x - w * 0.26} ${y + size * 0.08}L${x - w * 0.2} ${y - size * 0.3}H${x + w * 0.2}L${x + w * 0.26} ${y + size * 0.08}C${x + s * 0.75} ${y + size * 0.22} ${x + s} ${y + size * 0.5} ${x + s} ${y + size * 3}Z"/>`
  )
}

/** A row of spectators; some raise an arm or a flag. */
export function crowd(seed: number, y: number, size: number, width: number): string {
  const roll = dice(seed)
  let out = `<rect x="-20" y="${y + size * 2}" width="${width + 40}" height="1600"/>`
  for (let x = -size; x < width + size; x += size * (1.5 + roll() * 1.0)) {
    const top = y + (roll() - 0.5) * size * 0.8
    out += bust(x, top, size, roll)
    const raise = roll()
    if (raise < 0.14) {
      const side = roll() < 0.5 ? -1 : 1
      const hx = x + side * size * (1.3 + roll() * 0.5)
      const hy = top - size * (1.5 + roll() * 0.9)
      out += `<path d="M${x + side * size * 0.8} ${top + size}L${x + side * size * 1.35} ${top - size * 0.1}L${hx} ${hy}" fill="none" stroke="#000" stroke-width="${size * 0.34}" stroke-linejoin="round" stroke-linecap="round"/>`
      if (raise < 0.05)
        out += `<path d="M${hx - size * 0.04} ${hy + size * 0.4}L${hx + side * size * 0.25} ${hy - size * 2.4}l${side * size * 1.9} ${size * 0.25}q${-side * size * 0.4} ${size * 0.5} ${side * size * 0.1} ${size * 1.05}l${-side * size * 1.9} ${-size * 0.15}L${hx + size * 0.06} ${hy + size * 0.4}Z"/>`
      else
        out += `<rect x="${hx - size * 0.2}" y="${hy - size * 0.5}" width="${size * 0.4}" height="${size * 0.62}" rx="${size * 0.06}"/>`
    }
  }
  return out
}

/** A standing photographer with a long lens, facing right; feet at (x, y), `h` tall. */
export function photographer(x: number, y: number, h: number): string {
  const u = h / 100
  const p = (a: number, b: number) => `${(x + a * u).toFixed(1)} ${(y - b * u).toFixed(1)}`
  const limb = (width: number, ...points: string[]) =>
    `<path d="M${points.join('L')}" fill="none" stroke="#000" stroke-width="${width * u}" stroke-linejoin="round" stroke-linecap="round"/>`
  return (
    limb(9, p(-9, 2), p(-7, 26), p(-2, 48)) +
    limb(9, p(13, 2), p(8, 27), p(2, 48)) +
    `<path d="M${p(-12, 0)}h${14 * u}v${-4 * u}h${-12 * u}zM${p(10, 0)}h${14 * u}v${-4 * u}h${-12 * u}z"/>` +
    `<path d="M${p(-10, 46)}C${p(-13, 60)} ${p(-13, 74)} ${p(-6, 83)}L${p(4, 85)}C${p(12, 80)} ${p(12, 62)} ${p(9, 46)}Z"/>` +
    `<path d="M${p(-15, 70)}q${-4 * u} ${-9 * u} ${5 * u} ${-13 * u}l${5 * u} ${26 * u}q${-8 * u} ${-2 * u} ${-10 * u} ${-13 * u}z"/>` +
    `<ellipse cx="${x + 4 * u}" cy="${y - 92 * u}" rx="${6.3 * u}" ry="${7.6 * u}"/><path d="M${p(-3, 95)}q${6 * u} ${-9 * u} ${14 * u} ${-1 * u}l${6 * u} ${1 * u}v${1.6 * u}h${-20 * u}z"/>` +
    limb(6.5, p(0, 80), p(9, 68), p(17, 82)) +
    limb(6.5, p(6, 80), p(18, 70), p(29, 84)) +
    `<path d="M${p(10, 93)}h${9 * u}v${11 * u}h${-9 * u}zM${p(19, 91.5)}l${12 * u} ${-0.6 * u}l0 ${-1 * u}l${9 * u} ${-0.6 * u}v${11 * u}l${-9 * u} ${-0.6 * u}v${-1 * u}l${-12 * u} ${-0.6 * u}z"/>`
  )
}
