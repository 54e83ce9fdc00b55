import { extname } from 'node:path'
import type { FileKind } from '#shared/folders.ts'

const types: Readonly<Record<string, readonly [FileKind, string]>> = {
  '.jpg': ['image', 'image/jpeg'],
  '.jpeg': ['image', 'image/jpeg'],
  '.png': ['image', 'image/png'],
  '.webp': ['image', 'image/webp'],
  '.avif': ['image', 'image/avif'],
  '.gif': ['image', 'image/gif'],
  '.tif': ['image', 'image/tiff'],
  '.tiff': ['image', 'image/tiff'],
  '.mp4': ['video', 'video/mp4'],
  '.m4v': ['video', 'video/mp4'],
  '.mov': ['video', 'video/quicktime'],
  '.webm': ['video', 'video/webm'],
  '.mp3': ['audio', 'audio/mpeg'],
  '.m4a': ['audio', 'audio/mp4'],
  '.wav': ['audio', 'audio/wav'],
  '.pdf': ['document', 'application/pdf'],
  '.zip': ['document', 'application/zip'],
  '.csv': ['document', 'text/csv; charset=utf-8'],
  '.txt': ['document', 'text/plain; charset=utf-8'],
  '.svg': ['document', 'image/svg+xml'],
  '.html': ['document', 'text/html; charset=utf-8'],
  '.htm': ['document', 'text/html; charset=utf-8'],
  '.xml': ['document', 'application/xml'],
  '.json': ['document', 'application/json'],
  '.psd': ['document', 'image/vnd.adobe.photoshop'],
  '.heic': ['document', 'image/heic'],
  '.heif': ['document', 'image/heif'],
  '.dng': ['document', 'image/x-adobe-dng'],
  '.cr2': ['document', 'image/x-canon-cr2'],
  '.nef': ['document', 'image/x-nikon-nef'],
  '.arw': ['document', 'image/x-sony-arw'],
  '.pef': ['document', 'image/x-pentax-pef'],
  '.srw': ['document', 'image/x-samsung-srw'],
  '.docx': ['document', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  '.xlsx': ['document', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  '.pptx': [
    'document',
    'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  ],
}

/** What a file is by its name; what is unknown is a document to download. */
export function kindOf(name: string): { kind: FileKind; type: string } {
  const [kind, type] = types[extname(name).toLowerCase()] ?? [
    'document',
    'application/octet-stream',
  ]
  return { kind, type }
}

/** Whether a browser may show the file in place: nothing in it can run. */
export const isPassive = (kind: FileKind, type: string) =>
  kind !== 'document' && type !== 'image/tiff'
