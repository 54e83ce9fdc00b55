import type { Picture } from '#shared/content.ts'
import type { Row } from '../../collections.ts'
import { eachInTurns } from '../../concurrency/in-turns.ts'
import { withFallback } from '../../concurrency/timeout.ts'
import type { FileDescription } from '../reader.ts'
import type { PublicationFilter } from './publication-filter.ts'

/** What is known of pictures: from the media collection, else from the files themselves. */
export type Pictures = {
  /** A picture by its id; of an unknown one only the id. */
  find(id: string): Picture
  /** What it was found in; another object after a change. */
  readonly source: object
}

/** How long a picture waits for its words the very first time, in milliseconds. */
const readTimeout = 2_000

/** The same whenever nothing can be read, so nothing seems to have changed. */
const nothing: readonly never[] = []

type Index = {
  media: readonly Row<'media'>[]
  files: readonly FileDescription[]
  /** Both by id, once that is made. */
  made: Promise<{
    rowById: ReadonlyMap<string, Row<'media'>>
    fileById: ReadonlyMap<string, FileDescription>
  }>
}

/**
 * Makes a function that gives the pictures of the moment. It never fails: a picture shows without
 * its words when they cannot be read.
 * @param options `fileDescriptions` what the files of the service say of themselves, where it knows that;
 *   `late` called when words come after a reader was answered without them
 */
export function createPictures({
  publication,
  fileDescriptions,
  late,
}: {
  publication: Pick<PublicationFilter, 'of' | 'has'>
  fileDescriptions: () => Promise<readonly FileDescription[]>
  late: () => void
}): () => Promise<Pictures> {
  let index: Index | null = null
  let wordsWereRead = false

  /** Waits for words the first time alone; those that come later are told of. */
  async function inTime<Value>(
    reading: Promise<readonly Value[]>,
    isKnown: boolean,
  ): Promise<readonly Value[]> {
    if (isKnown) return reading
    const first = await withFallback(reading, readTimeout, null)
    if (first === null) void reading.then(late)
    return first ?? nothing
  }

  async function read(): Promise<[readonly Row<'media'>[], readonly FileDescription[]]> {
    const none = () => nothing
    const media = publication.of('media').then(({ rows }) => rows, none)
    const files = fileDescriptions().then((words) => {
      wordsWereRead = true
      return words
    }, none)
    return Promise.all([
      inTime<Row<'media'>>(media, publication.has('media')),
      inTime<FileDescription>(files, wordsWereRead),
    ])
  }

  return async () => {
    const [media, files] = await read()
    if (index?.media !== media || index.files !== files) {
      index = { media, files, made: byId(media, files) }
    }
    const source = index
    const { rowById, fileById } = await source.made
    return { source, find: (id) => describe(id, rowById.get(id), fileById.get(id)) }
  }
}

async function byId(media: Index['media'], files: Index['files']): Index['made'] {
  const rowById = new Map<string, Row<'media'>>()
  const fileById = new Map<string, FileDescription>()
  await eachInTurns(media, (row) => rowById.set(String(row.id), row))
  await eachInTurns(files, (file) => fileById.set(file.id, file))
  return { rowById, fileById }
}

/** The media collection wins, field by field. */
function describe(
  id: string,
  media: Row<'media'> | undefined,
  file: FileDescription | undefined,
): Picture {
  const width = media?.width ?? file?.width ?? null
  const height = media?.height ?? file?.height ?? null
  const [x, y] = file?.focal ?? []
  return {
    id,
    alt: media?.alt ?? file?.alt ?? '',
    width,
    height,
    focal: [
      fraction(media?.focal_x, width) ?? share(x, file?.width) ?? 0.5,
      fraction(media?.focal_y, height) ?? share(y, file?.height) ?? 0.5,
    ],
    ...(media?.tone && /^#[\da-f]{6}$/i.test(media.tone) && { tone: media.tone }),
  }
}

/** A point in pixels as a fraction; null where either is unknown. */
const share = (value: number | null | undefined, size: number | null | undefined): number | null =>
  value === null || value === undefined || !size ? null : within(value / size)

const within = (part: number): number => Math.min(Math.max(part, 0), 1)

/** A focal point is stored as a fraction, or in pixels as Directus does; null where unknown. */
function fraction(value: number | null | undefined, size: number | null): number | null {
  if (value === null || value === undefined) return null
  return value <= 1 ? within(value) : size ? within(value / size) : null
}
