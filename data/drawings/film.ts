/** The last step of every picture: lens, film curve, grade, grain, JPEG. */
import { writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { type Frame, type Rgb, each } from './frame.ts'
import { cell } from './noise.ts'

export interface Grade {
  exposure?: number
  /** Added to the shadows and multiplied into the highlights: the colour world of a picture. */
  shadows?: Rgb
  highlights?: Rgb
  saturation?: number
  vignette?: number
  grain?: number
}

/** The usual filmic fit: deep toe, long shoulder, so that lamps keep colour instead of clipping. */
const curve = (v: number): number => (v * (2.51 * v + 0.03)) / (v * (2.43 * v + 0.59) + 0.14)
const encode = (v: number): number => (v <= 0.0031308 ? v * 12.92 : 1.055 * v ** (1 / 2.4) - 0.055)

function develop(f: Frame, grade: Grade = {}): Buffer {
  const { exposure = 1, shadows = [0.0022, 0.0028, 0.004], highlights = [1, 1, 1] } = grade
  const { saturation = 1.06, vignette = 0.42, grain = 0.011 } = grade
  const out = Buffer.alloc(f.w * f.h * 3)
  const cx = f.w / f.scale / 2
  const cy = f.h / f.scale / 2
  each(f, (x, y, i) => {
    const d2 = ((x - cx) / cx) ** 2 + ((y - cy) / cy) ** 2
    const fall = 1 / (1 + vignette * 0.55 * d2) ** 1.6
    const c = [0, 0, 0]
    for (let k = 0; k < 3; k++) {
      const v = Math.max(0, f.rgb[i * 3 + k]) * exposure * fall * highlights[k] + shadows[k]
      c[k] = encode(Math.min(1, Math.max(0, curve(v * 0.8))))
    }
    const luma = c[0] * 0.3 + c[1] * 0.59 + c[2] * 0.11
    // Grain sits in the mid-tones, a little larger than a pixel; it also hides banding in dark skies.
    const px = i % f.w
    const py = (i / f.w) | 0
    const fine = cell(px, py, 1) + cell(px, py, 2) - 1
    const coarse = cell(px >> 1, py >> 1, 3) + cell((px + 1) >> 1, (py + 1) >> 1, 4) - 1
    const g = (fine * 0.45 + coarse * 0.75) * grain * (0.5 + 1.4 * Math.sqrt(luma) * (1 - luma))
    for (let k = 0; k < 3; k++) {
      const v = luma + (c[k] - luma) * saturation + g
      out[i * 3 + k] = Math.max(0, Math.min(255, Math.round(v * 255)))
    }
  })
  return out
}

/** Writes the JPEG; grainy pictures step down in quality rather than burden every page. */
export async function save(f: Frame, path: string, grade?: Grade): Promise<number> {
  const raw = develop(f, grade)
  for (let quality = 84; ; quality -= 2) {
    const picture = sharp(raw, { raw: { width: f.w, height: f.h, channels: 3 } })
    const jpeg = await picture.jpeg({ quality, mozjpeg: true }).toBuffer()
    if (jpeg.length < 330_000 || quality <= 70) {
      await writeFile(path, jpeg)
      return jpeg.length
    }
  }
}
