import { extname } from 'node:path'
import type { FileKind } from '#shared/file-kind.ts'
import { rawTypes } from '../images/camera-raw.ts'

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
  '.hif': ['document', 'image/heif'],
  '.thm': ['document', 'image/jpeg'],
  '.xmp': ['document', 'application/rdf+xml'],
  '.docx': ['document', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  '.xlsx': ['document', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  '.pptx': [
    'document',
    'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  ],
}

const raw: Readonly<Record<string, string>> = rawTypes

/** What a file is by its name; what is unknown is a document to download. */
export function kindOf(name: string): { kind: FileKind; type: string } {
  const ending = extname(name).toLowerCase()
  const [kind, type] = types[ending] ?? ['document', raw[ending] ?? 'application/octet-stream']
  return { kind, type }
}

/** Whether a browser may show the file in place: nothing in it can run. */
export const isPassive = (kind: FileKind, type: string) =>
  kind !== 'document' && type !== 'image/tiff'
