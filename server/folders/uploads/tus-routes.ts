import type { IncomingMessage } from 'node:http'
import { Router, type Request, type RequestHandler, type Response } from 'express'
import type { Server } from '@tus/server'
import { failure, isFailure } from '#shared/failures.ts'
import { uploadLimits } from '#shared/folders/folder-numbers.ts'
import { paths } from '#shared/paths.ts'
import type { ClientFeature } from '../../clients/feature.ts'
import type { Http, Platform } from '../../feature.ts'
import { allowMethods } from '../../http/methods.ts'
import { csrf } from '../../http/guards.ts'
import { requestContextOf } from '../../http/request-context.ts'
import type { Folder, FolderUpload } from '../schema.ts'
import type { FolderStore } from '../store.ts'
import { createPlaces, createSenders } from './senders.ts'
import type { Sender, Uploads } from './uploads.ts'

/** Files that one network can begin to send within an hour. */
const beginning = { name: 'folderUploads', seconds: 3600, max: 3000 }

/** What an address of an upload looks like. */
const uploadId = /^[0-9A-Za-z]{32}$/

/** What the library is told about a request. */
type Asked = { sender: Sender; folder: Folder; upload: FolderUpload | null }

/**
 * Resumable uploads by the tus protocol (https://tus.io/protocols/resumable-upload) for codes with the
 * scope `desk`: each request is asked for its session again, and goes on only with uploads of its own
 * code. The protocol is the library's; what a file may be and where it goes is that of {@link Uploads}.
 */
export function tusRoutes(
  { clock, log }: Pick<Platform, 'clock' | 'log'>,
  { limit, largeBody }: Pick<Http, 'limit' | 'largeBody'>,
  {
    store,
    uploads,
    clients,
  }: { store: FolderStore; uploads: Uploads; clients: Pick<ClientFeature, 'sessionIn'> },
): Router {
  const senderOf = createSenders(clients)
  const places = createPlaces()
  const asked = new WeakMap<IncomingMessage, Asked>()
  const askedBy = (request: { runtime?: { node?: { req?: unknown } } }): Asked => {
    const known = asked.get(request.runtime?.node?.req as IncomingMessage)
    if (!known) throw failure('broken')
    return known
  }

  /** Loaded with the first upload: neither the command line nor most days of a server need it. */
  let loading: Promise<Server> | null = null
  const tus = (): Promise<Server> => (loading ??= load())
  const load = async (): Promise<Server> => {
    const [{ MemoryLocker, Server }, { FileStore }] = await Promise.all([
      import('@tus/server'),
      import('@tus/file-store'),
    ])
    return new Server({
      path: paths.deskUploads(),
      datastore: new FileStore({ directory: uploads.dir }),
      locker: new MemoryLocker(),
      relativeLocation: true,
      maxSize: uploadLimits.maxFileBytes,
      // Pages of other sites may not look, as everywhere else.
      allowedOrigins: () => false,
      async namingFunction(request, metadata) {
        const known = askedBy(request)
        const size = Number(request.headers.get('upload-length'))
        const { folder, sender } = known
        const { filename, section } = metadata ?? {}
        const file = { name: filename ?? '', size, section: section ?? '' }
        known.upload = await uploads.begin(folder, file, sender)
        return known.upload.id
      },
      async onUploadFinish(request) {
        const { upload } = askedBy(request)
        const response = request.runtime?.node?.res as Response | undefined
        const session = response && requestContextOf(response).sessionAt(clock())
        if (!session?.scopes.has('desk')) throw failure('signed-out')
        if (!upload) throw failure('missing')
        const placed = await uploads.finish(upload)
        if (placed.state === 'refused') throw failure('invalid', { message: placed.why })
        return {}
      },
      onResponseError(_request, error) {
        const known = 'failure' in error && isFailure(error) ? error : null
        if (known) return { status_code: known.status, body: known.message }
        if ('status_code' in error && error.status_code < 500) return undefined
        log.error({ err: error }, 'upload failed')
        return { status_code: 500, body: failure('broken').message }
      },
    })
  }

  /** Lets the library answer, while there is a place for its body. */
  const answer = async (request: Request, response: Response, known: Asked) => {
    const leave = places.take(known.sender.codeId)
    asked.set(request, known)
    try {
      response.setHeader('Cache-Control', 'no-store')
      await (await tus()).handle(request, response)
    } finally {
      leave()
    }
  }

  const begin: RequestHandler = async (request, response) => {
    const sender = senderOf(response)
    const folder = store.find(folderIn(request.get('upload-metadata') ?? ''))
    if (!folder) throw failure('missing')
    if (!request.get('upload-length')) throw failure('malformed')
    const known: Asked = { sender, folder, upload: null }
    await answer(request, response, known)
    // Its sender never hears where it is, so no one could go on with it or take it back.
    if (known.upload && response.statusCode >= 400) await uploads.drop(known.upload)
  }

  const goOn: RequestHandler = async (request, response) => {
    const sender = senderOf(response)
    const id = String(request.params.id)
    const upload = uploadId.test(id) ? uploads.find(id) : null
    const folder = upload && store.byNumber(upload.folder)
    if (!upload || !folder || upload.codeId !== sender.codeId) throw failure('missing')
    const isLook = request.method === 'HEAD'
    // The server was stopped, or the disk failed, after the last byte.
    if (isLook && upload.state === 'receiving' && (await uploads.isWhole(upload))) {
      await uploads.finish(upload)
    }
    const now = uploads.find(id)
    if (now?.state === 'refused') throw failure('gone', { message: now.result ?? undefined })
    if (now?.state !== 'receiving') {
      if (!now || !isLook) throw failure('gone')
      return sayDone(response, now)
    }
    if (request.method === 'PATCH') {
      // The library doesn't say why a piece couldn't be written.
      await uploads.needFree(Number(request.get('content-length') ?? 0))
      await uploads.touch(upload)
    }
    await answer(request, response, { sender, folder, upload })
    if (request.method === 'DELETE' && response.statusCode === 204) await uploads.forget(upload)
  }

  const address = paths.deskUploads()
  largeBody(new RegExp(`^${address}(?:/|$)`), uploadLimits.maxChunkBytes)
  const guarded = csrf()
  const closing: RequestHandler = (_request, response, next) => {
    // A body that isn't wanted isn't read to its end.
    const { session } = requestContextOf(response)
    if (!session?.scopes.has('desk')) response.setHeader('Connection', 'close')
    next()
  }
  const router = Router({ caseSensitive: true, strict: true })
  router.post(address, limit(beginning), closing, guarded, begin)
  router.all(address, allowMethods(['POST']))
  router.head(`${address}/:id`, limit('read'), goOn)
  router.patch(`${address}/:id`, closing, guarded, goOn)
  router.delete(`${address}/:id`, guarded, goOn)
  router.all(`${address}/:id`, allowMethods(['HEAD', 'PATCH', 'DELETE']))
  return router
}

/** The folder in the metadata of a new upload: pairs of a key and its value in base64. */
function folderIn(metadata: string): string {
  const pair = metadata
    .split(',')
    .map((each) => each.trim().split(' '))
    .find(([key]) => key === 'folder')
  return Buffer.from(pair?.[1] ?? '', 'base64').toString('utf8')
}

/** What a sender hears who asks how far an upload is that has arrived. */
function sayDone(response: Response, { size }: FolderUpload): void {
  response
    .status(200)
    .set({
      'Tus-Resumable': '1.0.0',
      'Upload-Offset': String(size),
      'Upload-Length': String(size),
      'Cache-Control': 'no-store',
    })
    .end()
}
