import { plainLines, shortened } from '#shared/text/text.ts'
import { iptcDatasets, iptcTexts } from '../../images/iptc.ts'
import { defaultText, xmpTexts } from '../../images/xmp-texts.ts'

/** Max characters of a caption that are kept; IPTC itself allows 2000. */
const maxCaptionLength = 2000

/**
 * What the photographer wrote below a photo: the description in its XMP (IPTC Core, Description), else
 * the caption of its older IPTC record. Cameras' own texts in EXIF aren't captions.
 * @param metadata as sharp gives it
 * @returns plain text of at most a few lines; empty for none
 */
export function captionIn({
  xmp,
  iptc,
}: {
  xmp?: Buffer | undefined
  iptc?: Buffer | undefined
}): string {
  const described = xmp && defaultText(xmpTexts(xmp, 'dc:description'))
  const caption = described || (iptc && iptcTexts(iptc, iptcDatasets.caption)[0]) || ''
  return shortened(plainLines(caption).trim(), maxCaptionLength)
}
