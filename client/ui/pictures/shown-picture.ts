import type { Picture } from '#shared/content.ts'
import { imageSet, type Ratio } from '#shared/images.ts'
import type { ShownPicture } from './picture.tsx'

/**
 * Prepares a picture in a loader, so pages need no code for it. Browsers get AVIF where they can: half
 * the bytes of webp.
 * @param ratio cuts it to a shape
 * @param isFirst whether the page begins with it: it's lighter on phones, then
 */
export function shownPicture(
  picture: Picture | null,
  ratio?: Ratio,
  isFirst = false,
): ShownPicture | null {
  if (!picture) return null
  const { alt, focal, tone } = picture
  const set = imageSet(picture, { ratio, format: 'auto', isFirst })
  return { alt, focal, ...(tone && { tone }), ...set }
}

/**
 * A picture for a place whose shape changes with the width of the screen: each shape has a cut of its
 * own, around the focal point, instead of a part of the other one blown up until it fills the place.
 * @param shapes `wide` is the picture's own where left out
 */
export function pictureByWidth(
  picture: Picture | null,
  { wide, narrow }: { wide?: Ratio; narrow: Ratio },
): ShownPicture | null {
  const shown = shownPicture(picture, wide)
  if (!shown) return null
  // Narrow screens are those of phones.
  const { srcSet } = imageSet(picture!, { ratio: narrow, format: 'auto', isFirst: true })
  return { ...shown, narrowSet: srcSet }
}
