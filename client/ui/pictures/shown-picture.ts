import type { Picture } from '#shared/content.ts'
import { imageSet, smallWidths, type Ratio } from '#shared/images.ts'
import type { ShownPicture } from './picture.tsx'

/**
 * Prepares a picture in a loader, so pages need no code for it. Browsers get AVIF where they can: half
 * the bytes of webp.
 * @param ratio cuts it to a shape
 * @param options `isFirst`: the page begins with it, so it's lighter on phones; `isSmall`: it takes half
 *   of a phone's width at most, and a third of a larger screen's
 */
export function shownPicture(
  picture: Picture | null,
  ratio?: Ratio,
  { isFirst = false, isSmall = false }: { isFirst?: boolean; isSmall?: boolean } = {},
): ShownPicture | null {
  if (!picture) return null
  const { alt, focal, tone } = picture
  const widths = isSmall ? smallWidths : undefined
  const set = imageSet(picture, { ratio, format: 'auto', isFirst, widths })
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
