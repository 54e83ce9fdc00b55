import type { Picture } from '#shared/content.ts'
import { imageSet, type Ratio } from '#shared/images.ts'
import type { ShownPicture } from './picture.tsx'

/**
 * Prepares a picture in a loader, so pages need no code for it. Browsers get AVIF where they can: half
 * the bytes of webp.
 * @param ratio cuts it to a shape
 */
export function shownPicture(picture: Picture | null, ratio?: Ratio): ShownPicture | null {
  if (!picture) return null
  const { alt, focal } = picture
  return { alt, focal, ...imageSet(picture, { ratio, format: 'auto' }) }
}
