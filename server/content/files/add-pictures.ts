import { createHash } from 'node:crypto'
import { mkdir, open, readFile, readdir, rename, rm } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import * as z from 'zod'
import { anyAlphabet, randomId } from '../../secrets/ids.ts'
import { loadSharp, maxPixels } from '../../images/sharp.ts'
import { decodedText } from '../../text/decoded-text.ts'

/** A picture to keep among the content: a file, or the id of one that is there, and its words. */
export type GivenPicture =
  /** `name` is what its id is made from: letters, digits and hyphens. */
  { readonly file: string; readonly name: string } | { readonly id: string }

/** Pixels of the longer side: more than any page shows. */
const maxSide = 2400

const mediaRows = z.array(z.looseObject({ id: z.union([z.string(), z.number()]) }))
type MediaRow = z.infer<typeof mediaRows>[number]

/**
 * Keeps pictures among the files of the content, turned upright, at most 2,400 pixels wide or high,
 * and without what cameras write into them. One that is there already is not kept twice.
 * @param dir CONTENT_DIR
 * @param pictures in their order; `alt` says what one shows, undefined leaves the words of a known one
 * @returns their ids, in the same order
 * @throws an Error that names the file or the id; no row has changed then
 */
export async function addPictures(
  dir: string,
  pictures: readonly { readonly picture: GivenPicture; readonly alt?: string | undefined }[],
): Promise<string[]> {
  const rows = await readMedia(dir)
  const before = JSON.stringify(rows)
  const names = await readdir(join(dir, 'assets')).catch(() => [])
  const files = new Map(names.map((name) => [basename(name, extname(name)), name]))
  const ids: string[] = []
  for (const { picture, alt } of pictures) {
    if ('id' in picture) {
      if (!files.has(picture.id)) throw new Error(`Picture not found: ${picture.id}.`)
      if (alt !== undefined) describe(rows, { id: picture.id, alt })
      ids.push(picture.id)
      continue
    }
    const { bytes, width, height, tone } = await pictureOf(picture.file)
    const id = await freeId(dir, { name: picture.name, files, bytes })
    if (!files.has(id)) {
      await write(join(dir, 'assets'), `${id}.jpg`, bytes)
      files.set(id, `${id}.jpg`)
    }
    describe(rows, { id, file: files.get(id)!, alt, width, height, tone })
    ids.push(id)
  }
  // The rows come last: what they name is there.
  if (JSON.stringify(rows) !== before) {
    await write(dir, 'media.json', `${JSON.stringify(rows, null, 2)}\n`)
  }
  return ids
}

/** A picture file as the content keeps it. @throws an Error for what isn't a picture */
async function pictureOf(
  file: string,
): Promise<{ bytes: Buffer; width: number; height: number; tone: string }> {
  const sharp = await loadSharp()
  try {
    const { data, info } = await sharp(file, { limitInputPixels: maxPixels })
      .autoOrient()
      .flatten({ background: '#ffffff' })
      .resize({ width: maxSide, height: maxSide, fit: 'inside', withoutEnlargement: true })
      .jpeg({ quality: 88, mozjpeg: true })
      .toBuffer({ resolveWithObject: true })
    const pixel = await sharp(data)
      .resize(1, 1, { fit: 'fill' })
      .toColourspace('srgb')
      .raw()
      .toBuffer()
    const tone = `#${pixel.toString('hex', 0, 3)}`
    return { bytes: data, width: info.width, height: info.height, tone }
  } catch (cause) {
    throw new Error(`${file} can’t be read as a picture.`, { cause })
  }
}

/** An id by the name of the file; that of the same picture, where it is there. */
async function freeId(
  dir: string,
  { name, files, bytes }: { name: string; files: ReadonlyMap<string, string>; bytes: Buffer },
): Promise<string> {
  const stem = name.replaceAll(/[^a-z0-9-]/g, '') || 'picture'
  const digest = digestOf(bytes)
  for (let count = 1; ; count += 1) {
    const id = (count === 1 ? stem : `${stem}-${count}`).slice(0, 80)
    const known = files.get(id)
    if (known === undefined) return id
    if (digestOf(await readFile(join(dir, 'assets', known))) === digest) return id
  }
}

const digestOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** Writes down what is known of a picture; what is not told stays. */
function describe(
  rows: MediaRow[],
  { alt, ...facts }: MediaRow & { alt?: string | undefined },
): void {
  const said = { ...facts, ...(alt !== undefined && { alt }) }
  const known = rows.find(({ id }) => String(id) === facts.id)
  if (known) Object.assign(known, said)
  else rows.push(said)
}

/** @throws an Error for a media.json that can't be read, which is not written over */
async function readMedia(dir: string): Promise<MediaRow[]> {
  const text = await readFile(join(dir, 'media.json')).then(
    decodedText,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '[]'
      throw error
    },
  )
  try {
    return mediaRows.parse(JSON.parse(text))
  } catch (cause) {
    throw new Error('media.json is not a list of rows; see content check.', { cause })
  }
}

/** Writes a file that appears only when it is whole. */
async function write(dir: string, name: string, content: Buffer | string): Promise<void> {
  await mkdir(dir, { recursive: true })
  // In a container, process IDs repeat: a name made of one could be what a crash left behind.
  const part = join(dir, `.${name}.${randomId(8, anyAlphabet)}.part`)
  const handle = await open(part, 'wx', 0o644)
  try {
    await handle.writeFile(content)
    await handle.sync()
    await handle.close()
    await rename(part, join(dir, name))
  } catch (error) {
    await handle.close().catch(() => {})
    await rm(part, { force: true })
    throw error
  }
}
