import type { ErrorRequestHandler, NextFunction, Request, RequestHandler, Response } from 'express'
import { isFailure } from '#shared/failures.ts'
import type { FolderFavourites, FolderProblem, FolderView } from '#shared/folders/folders.ts'
import { withheldTexts } from '#shared/folders/withheld.ts'
import { paths } from '#shared/paths.ts'
import { requestContextOf, type RequestContext } from '../../http/request-context.ts'
import { wantsPage } from '../../http/replies/failures.ts'
import type { Access, FolderAccess } from './access.ts'
import { FileGone } from '../../transfers/disk.ts'
import { WithheldError } from '../files/originals.ts'
import type { Rights } from './rights.ts'
import type { Folder } from '../schema.ts'

/** An open folder and the request for something in it. */
export type FolderHandler = (
  folder: Folder,
  request: Request,
  response: Response,
  rights: Rights,
  /** Whether the visitor still has a right, while a download goes on; see `FolderAccess.stillOpens`. */
  stillHas: (isGranted: (rights: Rights) => boolean) => boolean,
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

/** Thrown by a handler of a form: it comes back on the folder's page, with what is wrong. */
export class FormReturned extends Error {
  readonly form: NonNullable<FolderFavourites['form']>

  constructor(form: NonNullable<FolderFavourites['form']>) {
    super('a form came back')
    this.form = form
  }
}

/** Headers of everything that belongs to a folder: not cached, not indexed, no referrer. */
export const privateHeaders = {
  'Cache-Control': 'private, no-store',
  'X-Robots-Tag': 'noindex, nofollow, noarchive',
  'Referrer-Policy': 'no-referrer',
} as const

/**
 * Takes a request to an open folder, or turns a refusal into its reply: the folder's
 * page draws it for people, with the right status; other clients get one line of text.
 */
export function createReplies(access: FolderAccess) {
  const refused = new WeakMap<RequestContext, FolderProblem>()
  const returned = new WeakMap<RequestContext, FormReturned['form']>()
  const barred = new WeakSet<RequestContext>()

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
    else if (request.method === 'POST') barred.add(requestContextOf(response))
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

    /** The form that was sent with a request and that the page now shows again. */
    returnedIn: (requestContext: RequestContext) => returned.get(requestContext),

    /** Whether a request brought a form to a folder that was locked by then, so nothing came of it. */
    isBarredForm: (requestContext: RequestContext): boolean => barred.has(requestContext),

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
          await handle(allowed.folder, request, response, allowed.rights, (isGranted) =>
            access.stillOpens(id, requestContextOf(response), isGranted),
          )
        } catch (error) {
          if (error instanceof FormReturned) {
            if (!wantsPage(request)) {
              const [sentence] = Object.values(error.form.errors)
              return response.status(400).type('text').send(`${sentence}\n`)
            }
            returned.set(requestContextOf(response), error.form)
            request.method = 'GET'
            return next('router')
          }
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
  if (error instanceof WithheldError) return new FolderRefusal('held')
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

/** Problems with their status and sentence. */
const problems = {
  missing: [404, "We couldn't find the page you're looking for."],
  gone: [410, 'This gallery is closed.'],
  file: [404, 'File not found.'],
  held: [403, `${withheldTexts.one} Please ask us for it.`],
  selection: [404, 'This download link has expired. Please select the files again.'],
  scope: [403, 'Your code is view-only.'],
  originals: [403, 'The originals aren’t available here; web sizes are.'],
  select: [403, 'Your code doesn’t include favourites and comments.'],
  limit: [429, 'All downloads of this gallery have been used.'],
  busy: [503, 'Downloads are busy. Please try again in a moment.'],
  preparing: [503, 'Your ZIP is being prepared and starts in a moment.'],
  'too-many': [429, 'Too many requests. Please wait a moment and try again.'],
  'too-large': [413, 'This selection is too large.'],
  malformed: [400, 'No files selected.'],
} as const satisfies Record<FolderProblem['why'], readonly [FolderProblem['status'], string]>

/** The codes that programs know these statuses by, as in every other JSON error. */
const codes = {
  400: 'malformed',
  403: 'forbidden',
  404: 'missing',
  410: 'gone',
  413: 'too-large',
  429: 'too-many',
  503: 'unavailable',
} as const satisfies Record<FolderProblem['status'], FolderProblem['code']>

/** A problem as the page shows it. */
export function problem(id: string, why: FolderProblem['why']): FolderProblem {
  const [status, message] = problems[why]
  return { success: false, message, code: codes[status], state: 'problem', id, status, why }
}

/** What a closed folder asks for. */
export const asksFor = {
  password: 'This gallery needs a password.',
  code: 'This gallery needs its client’s secret code.',
} as const

/**
 * The form for the password or the code, which leads back to where the visitor wanted to go.
 * @param isBarredForm whether the visitor sent a form, which has to be sent again
 */
export function lockedView(
  id: string,
  by: 'password' | 'code',
  requestContext: RequestContext,
  isBarredForm: boolean,
): FolderView {
  const { pathname, searchParams } = new URL(requestContext.url, 'http://localhost')
  const wrong = searchParams.has('wrong')
  searchParams.delete('wrong')
  searchParams.delete('problem')
  const query = String(searchParams)
  // A form leads to a page or a file, not back to where forms are sent: there a GET is missing, or
  // gets everything in place of what was selected.
  const asked = pathname.startsWith('/s/') ? pathname + (query && `?${query}`) : paths.folder(id)
  const isForm =
    isBarredForm || [paths.folderPassword(id), paths.folderPicks(id)].includes(pathname)
  const to = isForm ? paths.folder(id) : asked
  const undone = pathname === paths.folderZip(id) ? 'download' : 'favourites'
  return {
    success: false,
    message: asksFor[by],
    code: 'signed-out',
    state: 'locked',
    id,
    by,
    wrong,
    to,
    ...(isBarredForm && { undone }),
  }
}
