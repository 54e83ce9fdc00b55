import { dirname, basename } from 'node:path'
import { Router, type Request, type Response, type NextFunction } from 'express'
import { failure } from '#shared/failures.ts'
import { paths } from '#shared/paths.ts'
import type { Context } from '../context.ts'
import { createPlainReplies } from '../http/plain-reply.ts'
import { sessionWith } from '../http/scope.ts'
import { requestContextOf } from '../http/request-context.ts'
import { html } from '../markup.ts'
import type { PanelFile } from './panels.ts'
import type { ClientSession } from './sessions.ts'

/** The same file again within this time is the same download, as when a film is watched in pieces. */
const sameDownload = 10 * 60_000

/**
 * `GET /panel/{panel}/files/{id}`: a file of a panel, whole or in part, for the session that owns
 * the panel. Names on disk are random and looked up, so no path comes from the address.
 */
export function fileRoutes(context: Context): Router {
  const { clients, clock, commit, log } = context

  const answer = (request: Request, response: Response, next: NextFunction) => {
    const requestContext = requestContextOf(response)
    const session = sessionWith('view', requestContext)
    const { panel, id } = request.params as { panel: string; id: string }
    const file = panel === session.panel ? clients.panels.findFile(id) : null
    const block = file?.clientId === session.clientId ? clients.panels.find(file.block) : null
    if (!file || !block) throw failure('missing')
    if (block.kind !== 'videos') sessionWith('download', requestContext)
    if (isFirstPart(request)) writeDown(file, block.kind === 'videos', session)
    response.attachment(file.name)
    response.setHeader('Cache-Control', 'private, no-store')
    // What stands under an id never changes, so a broken download can go on.
    response.setHeader('ETag', `"${file.id}"`)
    response.setHeader('Referrer-Policy', 'no-referrer')
    response.setHeader('X-Robots-Tag', 'noindex')
    const path = clients.panels.pathOf(file)
    response.sendFile(
      basename(path),
      { root: dirname(path), cacheControl: false, lastModified: true },
      (error) => {
        if (!error || response.headersSent) return
        if ('status' in error && error.status === 416) {
          response.status(416).setHeader('Content-Range', `bytes */${file.bytes}`).end()
        } else next(lost(file, error))
      },
    )
  }

  const writeDown = (
    file: PanelFile,
    isFilm: boolean,
    { clientId, codeId, who }: ClientSession,
  ) => {
    const detail = `${isFilm ? 'Watched' : 'Downloaded'} ${file.name}`
    const after = clock() - sameDownload
    const known = clients.activity(clientId, 50)
    if (known.some((line) => line.detail === detail && line.who === who && line.at > after)) return
    // Nobody waits for it: a film begins also while the database is busy.
    commit((tx) => clients.audit(tx, { clientId, codeId, who, kind: 'download', detail })).catch(
      (err: unknown) => log.error({ err }, 'a download could not be written down'),
    )
  }

  /** A file that the database knows and the disk does not is for staff to look after. */
  const lost = (file: PanelFile, error: Error) => {
    log.error({ err: error, file: file.id, clientId: file.clientId }, 'panel file cannot be read')
    return failure('missing')
  }

  const view = ({ status, message }: { status: number; message: string }) => ({
    title: status === 401 ? 'Please enter your secret code' : 'This file is not available',
    body: html`<h1>
        ${status === 401 ? 'Please enter your secret code' : 'This file is not available'}
      </h1>
      <p>${message}</p>
      <p class="way"><a href="${paths.clientZone()}">Go to the client zone</a></p>`,
  })

  return Router().get('/panel/:panel/files/:id', answer, createPlainReplies(context).failures(view))
}

/** True for a request that begins a download, rather than going on with one. */
function isFirstPart(request: Request): boolean {
  const range = request.get('range')
  return request.method === 'GET' && (range === undefined || range.startsWith('bytes=0-'))
}
