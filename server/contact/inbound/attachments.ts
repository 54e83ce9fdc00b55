import type { InboundAttachment } from '../schema.ts'
import { megabyte } from './limits.ts'

/** A file of an email in words, such as `plan.pdf (2.1 MB)`; without a size, its name alone. */
export function sizeOf({ name, bytes }: InboundAttachment): string {
  if (bytes === 0) return name
  const size =
    bytes < megabyte / 10
      ? `${Math.max(1, Math.round(bytes / 1024))} kB`
      : `${(bytes / megabyte).toFixed(1)} MB`
  return `${name} (${size})`
}
