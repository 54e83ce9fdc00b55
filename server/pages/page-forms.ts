import express, { type Request, type RequestHandler } from 'express'
import { failure } from '#shared/failures.ts'
import type { Renderer } from '../renderer.ts'

const urlencoded = 'application/x-www-form-urlencoded'
const multipart = 'multipart/form-data'
const formBytes = 32 * 1024

/** Reads the fields of a form that a page posts to itself, in either way that HTML has for them. */
export const readForm: readonly RequestHandler[] = [
  express.urlencoded({ extended: false, limit: formBytes, parameterLimit: 100 }),
  express.raw({ type: multipart, limit: formBytes }),
  async (request, _response, next) => {
    if (!Buffer.isBuffer(request.body)) return next()
    const type = request.get('content-type')!
    const read = new Response(request.body, { headers: { 'Content-Type': type } }).formData()
    const form = await read.catch((cause: unknown) => {
      throw failure('malformed', { cause })
    })
    // Files are sent elsewhere; a field of that kind counts as empty.
    const texts = Array.from(form, ([name, value]) => [
      name,
      typeof value === 'string' ? value : '',
    ])
    request.body = Object.fromEntries(texts) as Record<string, string>
    next()
  },
]

/** Lets a form through to a page that takes one; what else is posted to pages is refused. */
export function onlyForms(renderer: Pick<Renderer, 'takesForm'>): RequestHandler {
  return (request, _response, next) => {
    if (!renderer.takesForm(request.path)) return next('route')
    if (request.is([urlencoded, multipart]) || isEmpty(request)) return next()
    next(failure('wrong-type', { message: 'Only the form of this page is accepted here.' }))
  }
}

/** A button alone sends nothing at all. */
const isEmpty = (request: Request) =>
  !request.get('transfer-encoding') && Number(request.get('content-length') ?? 0) === 0

/** The fields of a form as a page gets them: of one that comes more than once the first counts. */
export function formOf(body: unknown): URLSearchParams {
  const fields = Object.entries((body ?? {}) as Record<string, string | string[]>)
  return new URLSearchParams(
    fields.map(([name, value]) => [name, [value].flat()[0] ?? ''] as [string, string]),
  )
}
