/** The picture that links to the site carry when a page has none of its own. */
import { bloom, blurMask } from '../blur.ts'
import { type Frame, fill, frame, hex, light, over, vector } from '../frame.ts'
import { smooth } from '../noise.ts'
import { picture } from '../texture.ts'
import type { Scene } from './scene.ts'

async function share(): Promise<Frame> {
  const f = frame(1200, 630)
  const back = await picture('rally-snow-blue-hour', 1200, 800)
  fill(f, (x, y) => {
    const c = back(0.04 + (x / 1200) * 0.92, 0.2 + (y / 630) * 0.66)
    const shade = 0.1 + 0.72 * smooth(120, 860, x)
    return [c[0] * shade, c[1] * shade, c[2] * shade]
  })
  // The mark: an apex, two slashes that meet, with the racing line passing over it.
  const left = await vector(
    f,
    '<path d="M92 452L226 190h64L156 452z"/><path d="M302 262l97 190h-66l-64-126z"/>',
  )
  over(f, left, hex('#f3f5f7', 1.15))
  const line = await vector(
    f,
    '<path d="M84 486C196 486 240 300 258 244C276 300 320 486 432 486" fill="none" stroke="#000" stroke-width="11"/>',
  )
  over(f, line, hex('#ff4520', 1.5))
  light(f, blurMask(f, line.slice(), 16), hex('#ff4520', 0.5))
  bloom(f, 0.3, 1, 50)
  return f
}

export const ogImage: Scene = {
  id: 'og-image',
  paint: share,
  grade: { exposure: 1.1, vignette: 0.25 },
}
