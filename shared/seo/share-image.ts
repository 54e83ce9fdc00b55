import type { Picture } from '../content.ts'
import { defaultImage, type ShareImage } from './head-tags.ts'
import { assetUrl } from '../images.ts'

/** A picture of the content service in the shape and format of social networks. */
export function shareImage({ id, alt, version }: Picture): ShareImage {
  if (id === 'og-image') return { ...defaultImage, alt }
  const size = { width: 1200, height: 675 } as const
  const url = assetUrl(id, { ...size, fit: 'cover', format: 'jpg', version: version ?? null })
  return url === id ? { url, alt } : { url, ...size, alt }
}
