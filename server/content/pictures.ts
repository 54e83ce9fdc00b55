import type { Picture } from '#shared/content.ts'
import type { Row } from '../collections.ts'
import { withFallback } from '../timeout.ts'
import type { PublicationFilter } from './publication-filter.ts'

/** What the media collection says of pictures. */
export type Pictures = {
  /** A picture by its id; of an unknown one only the id. */
  find(id: string): Picture
  /** The rows that it was found in; another array after a change. */
  readonly source: readonly Row<'media'>[]
}

/** How long a picture waits for its words the very first time, in milliseconds. */
const readTimeout = 2_000

/**
 * Makes a function that gives the pictures of the moment. It never fails: a picture shows without
 * its words when the media collection cannot be read.
 * @param late called when the words come after a reader was answered without them
 */
export function createPictures({
  publication,
  late,
}: {
  publication: Pick<PublicationFilter, 'of' | 'has'>
  late: () => void
}): () => Promise<Pictures> {
  let index: { source: readonly Row<'media'>[]; byId: Map<string, Row<'media'>> } | null = null

  async function source(): Promise<readonly Row<'media'>[]> {
    const reading = publication.of('media').then(
      ({ rows }) => rows,
      () => [],
    )
    if (publication.has('media')) return reading
    const first = await withFallback(reading, readTimeout, null)
    if (first === null) void reading.then(late)
    return first ?? []
  }

  return async () => {
    const rows = await source()
    if (index?.source !== rows) {
      index = { source: rows, byId: new Map(rows.map((row) => [String(row.id), row])) }
    }
    const { byId } = index
    return { source: rows, find: (id) => describe(id, byId.get(id)) }
  }
}

function describe(id: string, media: Row<'media'> | undefined): Picture {
  const { width = null, height = null } = media ?? {}
  return {
    id,
    alt: media?.alt ?? '',
    width,
    height,
    focal: [fraction(media?.focal_x, width), fraction(media?.focal_y, height)],
  }
}

/** A focal point is stored as a fraction, or in pixels as Directus does; the middle where unknown. */
function fraction(value: number | null | undefined, size: number | null): number {
  if (value === null || value === undefined) return 0.5
  const part = value <= 1 ? value : size ? value / size : 0.5
  return Math.min(Math.max(part, 0), 1)
}
