import type { ErrorRequestHandler, NextFunction, Request, RequestHandler, Response } from 'express'
import { isFailure } from '#shared/failures.ts'
import type { FolderProblem } from '#shared/folders.ts'
import { requestContextOf, type RequestContext } from '../http/request-context.ts'
import { wantsPage } from '../http/wants-page.ts'
import type { Access, FolderAccess } from './access.ts'
import { FileGone } from '../transfers/disk.ts'
import { HeldBack } from './original.ts'
import type { Rights } from './rights.ts'
import type { Folder } from './store.ts'
import { asksFor } from './locked-view.ts'
import { problem } from './problems.ts'

/** An open folder and the request for something in it. */
export type FolderHandler = (
  folder: Folder,
  request: Request,
  response: Response,
  rights: Rights,
) => unknown

/** Thrown by a handler: what went wrong, in the words of the page. */
export class FolderRefusal extends Error {
  readonly why: FolderProblem['why']
  readonly retryAfter: number | null

  constructor(why: FolderProblem['why'], retryAfter: number | null = null) {
    super(why)
    this.why = why
    this.retryAfter = retryAfter
  }
}

/** Headers of everything that belongs to a folder: not cached, not indexed, no referrer. */
export const privateHeaders = {
  'Cache-Control': 'private, no-store',
  'X-Robots-Tag': 'noindex, nofollow, noarchive',
  'Referrer-Policy': 'no-referrer',
} as const

/**
 * Makes the way from a request to an open folder, and from a refusal to its reply: the folder's
 * page draws it for people, with the right status; other clients get one line of text.
 */
export function createReplies(access: FolderAccess) {
  const refused = new WeakMap<RequestContext, FolderProblem>()

  const refuse = (
    request: Request,
    response: Response,
    next: NextFunction,
    allowed: Access | null,
    shown: FolderProblem,
  ) => {
    if (response.headersSent) return void response.destroy()
    response.removeHeader('Content-Disposition')
    if (allowed?.state !== 'locked') refused.set(requestContextOf(response), shown)
    if (wantsPage(request)) {
      // The page that answers a form is drawn like any other.
      request.method = request.method === 'HEAD' ? 'HEAD' : 'GET'
      return next('router')
    }
    const [status, text] =
      allowed?.state === 'locked' ? [401, asksFor[allowed.by]] : [shown.status, shown.message]
    response.status(status).type('text').send(`${text}\n`)
  }

  return {
    /** What was refused in a request that the page now shows; null for an ordinary one. */
    refusedIn: (requestContext: RequestContext): FolderProblem | null =>
      refused.get(requestContext) ?? null,

    /** A handler that runs only for a folder that is open to the visitor. */
    inFolder(handle: FolderHandler): RequestHandler {
      return async (request, response, next) => {
        const id = String(request.params.id)
        for (const [name, value] of Object.entries(privateHeaders)) response.setHeader(name, value)
        const allowed = access.of(id, requestContextOf(response))
        if (allowed.state !== 'open') {
          const why = allowed.state === 'gone' ? 'gone' : 'missing'
          return refuse(request, response, next, allowed, problem(id, why))
        }
        try {
          await handle(allowed.folder, request, response, allowed.rights)
        } catch (error) {
          const refusal = refusalOf(error)
          if (!refusal) throw error
          if (refusal.retryAfter !== null && !response.headersSent) {
            response.setHeader('Retry-After', String(refusal.retryAfter))
          }
          refuse(request, response, next, allowed, problem(id, refusal.why))
        }
      }
    },

    /** What comes before a folder is looked at: limits, and forms that cannot be read. */
    failed: ((thrown: unknown, request, response, next) => {
      const refusal = refusalOf(thrown) ?? unreadable(thrown)
      if (!refusal) return next(thrown)
      for (const [name, value] of Object.entries(privateHeaders)) response.setHeader(name, value)
      if (refusal.retryAfter !== null) response.setHeader('Retry-After', String(refusal.retryAfter))
      const [, id = ''] = request.path.split('/')
      refuse(request, response, next, null, problem(id, refusal.why))
    }) satisfies ErrorRequestHandler as ErrorRequestHandler,
  }
}

/** What the system says when it has no more files or memory to give. */
const exhausted: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE', 'ENOMEM'])

function refusalOf(error: unknown): FolderRefusal | null {
  if (error instanceof FolderRefusal) return error
  if (error instanceof FileGone) return new FolderRefusal('file')
  if (error instanceof HeldBack) return new FolderRefusal('held')
  if (error instanceof Error && 'code' in error && exhausted.has(error.code)) {
    return new FolderRefusal('busy', 15)
  }
  if (!isFailure(error)) return null
  if (error.failure === 'missing') return new FolderRefusal('file')
  if (error.failure === 'unavailable') return new FolderRefusal('preparing', error.retryAfter ?? 5)
  if (error.failure === 'too-many') return new FolderRefusal('too-many', error.retryAfter ?? 60)
  return null
}

/** What reading the body of a form throws. */
function unreadable(thrown: unknown): FolderRefusal | null {
  const status = thrown instanceof Object && 'type' in thrown && 'status' in thrown && thrown.status
  if (status === 413) return new FolderRefusal('too-large')
  return status === 400 || status === 415 ? new FolderRefusal('malformed') : null
}
