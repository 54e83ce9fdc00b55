import { Router, type Request, type RequestHandler, type Response } from 'express'
import { failure, isFailure } from '#shared/failures.ts'
import { submissionKey } from '#shared/forms/fields.ts'
import { paths } from '#shared/paths.ts'
import { replyFileLimits, replyFilePath } from '#shared/contact/tickets.ts'
import type { Http } from '../feature.ts'
import { requestContextOf, type RequestContext } from '../http/request-context.ts'
import type { Attachment } from '../mail/message.ts'
import type { TicketActions } from './acts.ts'
import type { TicketLinks } from './links.ts'
import type { AttachedFile, ReplyFiles } from './reply-files.ts'
import type { Ticket } from './schema.ts'

const { maxFiles, maxBytes } = replyFileLimits
/** Bytes of a form's text fields, and of all of it with its files. */
const maxFieldBytes = 32 * 1024
const maxFormBytes = maxBytes + 256 * 1024

/**
 * Forms with files that are read at the same time, for one ticket and in all, since their files are in
 * memory. Those of people without the right to a ticket don't count: nothing of them is kept, and they
 * would hold up everyone else's.
 */
const maxReading = { ticket: 3, all: 12 } as const

/** Forms with files that one network can send within an hour. */
const sending = { name: 'replyFiles', seconds: 3600, max: 300 }
/** Files of replies that one network can load within a minute. */
const loading = { name: 'replyFileDownloads', seconds: 60, max: 120 }

/**
 * The reply form of a ticket's page at the desk, where it comes with files: they are kept under the key of
 * the form, and its fields go on to the page as those of any other form. And the files of replies, for
 * those who can open the ticket.
 */
export function replyFormRoutes(
  { limit, largeBody }: Pick<Http, 'limit' | 'largeBody'>,
  {
    actions,
    files,
    links,
  }: {
    actions: Pick<TicketActions, 'attach'>
    files: Pick<ReplyFiles, 'find'>
    links: Pick<TicketLinks, 'ofStaff' | 'ofVisitor'>
  },
): Router {
  const reading = new Map<string, number>()

  /** Takes a place for a form. @returns gives it back @throws too-many and unavailable without one */
  const placeFor = ({ ticketId }: Ticket) => {
    const own = reading.get(ticketId) ?? 0
    if (own >= maxReading.ticket) throw failure('too-many', { retryAfter: 5 })
    if (reading.values().reduce((sum, each) => sum + each, 0) >= maxReading.all) {
      throw failure('unavailable', { retryAfter: 5 })
    }
    reading.set(ticketId, own + 1)
    return () => {
      const left = reading.get(ticketId)! - 1
      if (left > 0) reading.set(ticketId, left)
      else reading.delete(ticketId)
    }
  }

  /** Other forms of the page have no files. */
  const onlyWithFiles: RequestHandler = (request, _response, next) =>
    next(request.is('multipart/form-data') ? undefined : 'route')

  const receive: RequestHandler = async (request, response, next) => {
    const ticket = openedBy(request, response)
    const leave = ticket && placeFor(ticket)
    try {
      const { fields, sent, problem } = await formOf(request, { keep: ticket !== null })
      // A bad file doesn't lose the text: the page comes back with both, and says what's wrong.
      const refusal = problem ?? (ticket && (await keep(ticket, fields.key, sent)))
      request.body = { ...fields, filesProblem: refusal ?? '' }
    } finally {
      leave?.()
    }
    next()
  }

  /** The ticket at the address, if the visitor can open it; otherwise null, and the page says why. */
  const openedBy = ({ params }: Request, response: Response): Ticket | null => {
    try {
      return links.ofStaff(String(params.ticket), requestContextOf(response)).ticket
    } catch (error) {
      if (!isFailure(error)) throw error
      return null
    }
  }

  /** @returns what is wrong with the first file that can't be kept */
  const keep = async (
    { ticketId }: Ticket,
    key: string | undefined,
    sent: readonly AttachedFile[],
  ): Promise<string | null> => {
    const known = submissionKey.safeParse(key)
    if (!known.success) return null
    for (const file of sent) {
      try {
        await actions.attach(ticketId, known.data, file)
      } catch (error) {
        if (!isFailure(error) || error.status >= 500) throw error
        return error.message
      }
    }
    return null
  }

  /** Sends a file of a ticket. @param ticketOf the ticket of those who may open its page @throws missing */
  const sendFile =
    (ticketOf: (request: Request, context: RequestContext) => Ticket): RequestHandler =>
    (request, response) => {
      const { ticketId } = ticketOf(request, requestContextOf(response))
      const id = String(request.params.id)
      const file = /^\d{1,15}$/.test(id) ? files.find(ticketId, Number(id)) : null
      if (!file) throw failure('missing')
      download(response, file)
    }

  largeBody(/^\/desk\/tickets\/[^/]+$/, maxFormBytes)
  const router = Router({ caseSensitive: true, strict: true })
  router.post(paths.deskTicket(':ticket'), onlyWithFiles, limit(sending), receive)
  router.get(
    replyFilePath(paths.deskTicket(':ticket'), ':id'),
    limit(loading),
    sendFile(({ params }, context) => links.ofStaff(String(params.ticket), context).ticket),
  )
  router.get(
    replyFilePath(paths.ticket(':token'), ':id'),
    limit(loading),
    sendFile(({ params }) => links.ofVisitor(String(params.token))),
  )
  return router
}

/** Always as a download, so no browser opens its content as a page of ours. */
const download = (response: Response, { filename, contentType, content }: Attachment) =>
  void response
    .attachment(filename)
    .setHeader('Content-Type', contentType)
    .setHeader('Cache-Control', 'private, no-store')
    .setHeader('Referrer-Policy', 'no-referrer')
    .setHeader('X-Robots-Tag', 'noindex')
    .end(content)

/** What a form has sent: its fields, its files, and what is wrong with the files. */
type SentForm = { fields: Record<string, string>; sent: AttachedFile[]; problem: string | null }

/**
 * Reads a form to its end.
 * @param keep whether its files are wanted
 * @throws malformed for a body that isn't a form, or one that ends too early
 */
async function formOf(request: Request, { keep }: { keep: boolean }): Promise<SentForm> {
  const { default: busboy } = await import('busboy')
  const form: SentForm = { fields: {}, sent: [], problem: null }
  let bytes = 0
  await new Promise<void>((resolve, reject) => {
    const failed = (cause: unknown) => reject(failure('malformed', { cause }))
    try {
      const reader = busboy({
        headers: request.headers,
        defParamCharset: 'utf8',
        limits: { files: maxFiles, fields: 50, fieldSize: maxFieldBytes, parts: 60 + maxFiles },
      })
      reader.on('field', (name, value) => {
        if (name !== '__proto__') form.fields[name] ??= value
      })
      reader.on('file', (_field, stream, { filename }) => {
        const pieces: Buffer[] = []
        stream.on('data', (piece: Buffer) => {
          bytes += piece.length
          if (keep && bytes <= maxBytes) pieces.push(piece)
        })
        // A form that is cut off fails its file, too; without a listener that would stop the process.
        stream.once('error', failed)
        // A field for files that is left empty is sent as a file without a name.
        stream.on('close', () => {
          if (keep && filename) form.sent.push({ name: filename, content: Buffer.concat(pieces) })
        })
      })
      reader.once('filesLimit', () => {
        form.problem = `A reply can have up to ${maxFiles} files`
      })
      reader.once('close', resolve)
      reader.once('error', failed)
      request.once('aborted', () => reader.destroy(new Error('The request was cut off.')))
      request.pipe(reader)
    } catch (cause) {
      failed(cause)
    }
  })
  if (bytes > maxBytes) {
    form.problem = `The files of a reply can have up to ${maxBytes / 1024 ** 2} MB in all`
  }
  return form
}
