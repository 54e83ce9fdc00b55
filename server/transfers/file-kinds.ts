import type { FileKind } from '#shared/folders/file-kind.ts'
import { rawTypes } from '../images/content-kind.ts'
import { endingOf, mediaTypeOf, withCharset } from '../http/media-types.ts'

/** Endings of pictures that browsers show; those of other pictures are documents. */
const pictures = new Set('.jpg .jpeg .png .webp .avif .gif .tif .tiff'.split(' '))

const raw: Readonly<Record<string, string>> = rawTypes

/** What a file is by its name; what is unknown is a document to download. */
export function kindOf(name: string): { kind: FileKind; type: string } {
  const ending = endingOf(name)
  const known = mediaTypeOf(name)
  const type = known ? withCharset(known) : (raw[ending] ?? 'application/octet-stream')
  if (pictures.has(ending)) return { kind: 'image', type }
  if (known?.startsWith('video/')) return { kind: 'video', type }
  if (known?.startsWith('audio/')) return { kind: 'audio', type }
  return { kind: 'document', type }
}

/** Whether a browser may show the file in place: nothing in it can run. */
export const isPassive = (kind: FileKind, type: string) =>
  kind !== 'document' && type !== 'image/tiff'
