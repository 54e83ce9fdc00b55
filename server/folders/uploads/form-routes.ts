import { mkdir, open, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { Router, type Request, type RequestHandler } from 'express'
import { failure, isFailure } from '#shared/failures.ts'
import { uploadLimits } from '#shared/folders/folder-numbers.ts'
import { paths } from '#shared/paths.ts'
import type { ClientFeature } from '../../clients/feature.ts'
import type { Http, Platform } from '../../feature.ts'
import { requestContextOf } from '../../http/request-context.ts'
import { anyAlphabet, randomId } from '../../secrets/ids.ts'
import type { Folder } from '../schema.ts'
import type { FolderStore } from '../store.ts'
import { createPlaces, createSenders } from './senders.ts'
import type { Announced, Sender, Uploads } from './uploads.ts'

/** Where on the desk's page of a folder its uploads are. */
const place = '#uploads'

/** Forms with files that one network can send within an hour. */
const sending = { name: 'folderUploadForms', seconds: 3600, max: 300 }

/**
 * The form with files on the desk's page of a folder, for browsers without scripts: bounded in size,
 * since a request that takes more than half a minute is cut. What became of each file is on that page.
 */
export function uploadFormRoutes(
  { log }: Pick<Platform, 'log'>,
  { limit, largeBody }: Pick<Http, 'limit' | 'largeBody'>,
  {
    store,
    uploads,
    clients,
  }: { store: FolderStore; uploads: Uploads; clients: Pick<ClientFeature, 'sessionIn'> },
): Router {
  const senderOf = createSenders(clients)
  const places = createPlaces()

  const receive: RequestHandler = async (request, response) => {
    const key = String(request.params.key)
    const page = paths.deskThing('folders', key)
    if (!requestContextOf(response).session?.scopes.has('desk')) {
      // The page asks for a code; the files aren't read.
      response.setHeader('Connection', 'close')
      return response.redirect(303, page)
    }
    const sender = senderOf(response)
    const folder = store.find(key)
    if (!folder) throw failure('missing')
    if (!request.is('multipart/form-data')) throw failure('malformed')
    const leave = places.take(sender.codeId)
    try {
      await uploads.needRoom(Number(request.get('content-length') ?? uploadLimits.maxFormBytes))
      await takeAll(request, folder, sender)
    } finally {
      leave()
    }
    await uploads.synced()
    response.redirect(303, page + place)
  }

  const takeAll = async (request: Request, folder: Folder, sender: Sender) => {
    await mkdir(uploads.dir, { recursive: true })
    for await (const { path, problem, ...file } of filesOf(request, uploads.dir)) {
      if (path === null) {
        if (problem) log.error({ err: problem }, 'upload failed')
        await uploads.refuse(folder, file, problem ? whyNotSaved(problem) : tooMany, sender)
        continue
      }
      try {
        await uploads.checkAnnounced(folder, file)
        const placed = await uploads.take(folder, path, file, sender)
        uploads.changed(folder, placed, sender.actor)
      } catch (error) {
        await discard(path)
        const known = isFailure(error) && error.failure !== 'broken' ? error : null
        if (!known) log.error({ err: error }, 'upload failed')
        await uploads.refuse(folder, file, known?.message ?? whyNotSaved(error), sender)
      }
    }
  }

  largeBody(/^\/desk\/folders\/[^/]+\/files$/, uploadLimits.maxFormBytes)
  const router = Router({ caseSensitive: true, strict: true })
  router.post(paths.deskFolderFiles(':key'), limit(sending), receive)
  return router
}

/** What is said of the first file that a form has no room for. */
const tooMany = `A form takes up to ${uploadLimits.maxFormFiles} files. Send this one and those after it again.`

/** What is said of a file that the disk didn't take. */
const whyNotSaved = (problem: unknown): string =>
  (problem as NodeJS.ErrnoException | null)?.code === 'ENOSPC'
    ? failure('no-room').message
    : 'It couldn’t be saved. Send it again.'

/**
 * A file of a form: on the disk now, or one of which nothing was kept, because of a problem of the disk or
 * as the first one too many.
 */
type SentFile = Omit<Announced, 'section'> & { path: string | null; problem?: unknown }

/**
 * The files of a form, each once it's whole; what is left of them when the form ends early is deleted.
 * The first one beyond the limit is among them, without a path, so that its sender is told of it.
 * @throws malformed for a body that isn't a form, or one that ends too early
 */
async function* filesOf(
  request: Request,
  dir: string,
): AsyncGenerator<SentFile & Pick<Announced, 'section'>> {
  const { default: busboy } = await import('busboy')
  const saved: Promise<SentFile | null>[] = []
  let section = ''
  await new Promise<void>((resolve, reject) => {
    const failed = (cause: unknown) => reject(failure('malformed', { cause }))
    try {
      const form = busboy({
        headers: request.headers,
        defParamCharset: 'utf8',
        limits: { files: uploadLimits.maxFormFiles + 1, fields: 10, fieldSize: 1024, parts: 40 },
      })
      form.on('file', (_field, stream, { filename }) => {
        const hasRoom = saved.length < uploadLimits.maxFormFiles
        saved.push(hasRoom ? save(stream, filename, dir) : pass(stream, filename))
      })
      form.on('field', (name, value) => {
        if (name === 'section') section = value
      })
      form.once('close', resolve)
      form.once('error', failed)
      request.once('aborted', () => form.destroy(new Error('The request was cut off.')))
      request.pipe(form)
    } catch (cause) {
      failed(cause)
    }
  }).catch(async (error: unknown) => {
    for (const file of await Promise.all(saved)) if (file?.path) await discard(file.path)
    throw error
  })
  const files = (await Promise.all(saved)).filter((file) => file !== null)
  try {
    for (const file of files) yield { ...file, section }
  } finally {
    // Those that were taken have moved; the others are nobody's after an error.
    for (const { path } of files) if (path) await discard(path)
  }
}

/** Reads over a file that is one too many. @returns null for a field without a file */
async function pass(stream: Readable, filename: string | undefined): Promise<SentFile | null> {
  let size = 0
  try {
    for await (const piece of stream) size += (piece as Buffer).length
  } catch {
    // The form itself fails with it.
    return null
  }
  return filename ? { name: filename, path: null, size } : null
}

/**
 * Writes a file of a form down. What the disk doesn't take is read all the same: a form of which one file
 * isn't read never ends.
 * @returns null for a field without a file, or one that was cut off
 */
async function save(
  stream: Readable,
  filename: string | undefined,
  dir: string,
): Promise<SentFile | null> {
  if (!filename) {
    stream.resume()
    return null
  }
  const path = join(dir, `form-${randomId(22, anyAlphabet)}`)
  let handle: FileHandle | null = null
  let size = 0
  let problem: unknown = null
  let isCut = false
  const keep = async (piece: Buffer) => {
    if (problem) return
    try {
      handle ??= await open(path, 'wx', 0o600)
      await handle.appendFile(piece)
    } catch (error) {
      problem = error
    }
  }
  try {
    for await (const piece of stream as AsyncIterable<Buffer>) {
      size += piece.length
      await keep(piece)
    }
    // A file without a byte is refused by its content, as any other.
    await keep(Buffer.alloc(0))
  } catch {
    isCut = true
  }
  await (handle as FileHandle | null)?.close().catch((error: unknown) => (problem ??= error))
  if (isCut || problem) await discard(path)
  if (isCut) return null
  return problem ? { name: filename, path: null, size, problem } : { name: filename, path, size }
}

/** Deletes a file that nobody takes; if the disk doesn't let it, those without an owner go later. */
const discard = (path: string): Promise<void> => rm(path, { force: true }).catch(() => {})
