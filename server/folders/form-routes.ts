import express, { Router, type Request, type RequestHandler } from 'express'
import { failure, isFailure } from '#shared/failures.ts'
import { folderLimits } from '#shared/folder-numbers.ts'
import { paths } from '#shared/paths.ts'
import type { Context } from '../context.ts'
import type { Limits } from '../http/limits.ts'
import { requestContextOf } from '../http/request-context.ts'
import type { FolderAccess } from './access.ts'
import type { Pickers } from './pickers.ts'
import { FolderRefusal, privateHeaders, type createReplies } from './replies.ts'

/** The forms of a folder's page, which work without scripts: its password, and its picks. */
export function formRoutes(
  { clients, folders, commit, outbox }: Pick<Context, 'clients' | 'folders' | 'commit' | 'outbox'>,
  limits: Pick<Limits, 'folderPassword'>,
  access: FolderAccess,
  pickers: Pickers,
  { inFolder }: ReturnType<typeof createReplies>,
): Router {
  const { store, picks } = folders

  const enter: RequestHandler = async (request, response, next) => {
    const id = String(request.params.id)
    const requestContext = requestContextOf(response)
    for (const [name, value] of Object.entries(privateHeaders)) response.setHeader(name, value)
    const allowed = access.of(id, requestContext)
    const { password, to } = entries(request)
    const back = own(id, to)
    if (allowed.state === 'open') return response.redirect(303, back)
    if (allowed.state !== 'locked') {
      // The page says what has become of the folder.
      request.method = 'GET'
      return next('router')
    }
    const entered = await access.enter(allowed.folder, password ?? '', requestContext)
    response.redirect(303, entered ? back : again(back))
  }

  const pick = inFolder(async (folder, request, response, { select }) => {
    if (!select) throw new FolderRefusal('scope')
    const requestContext = requestContextOf(response)
    const { heart, submit, name, note, again: another, to } = entries(request)
    const back = own(String(request.params.id), to)
    try {
      if (heart !== undefined) {
        const file = /^\d{1,15}$/.test(heart) ? store.file(folder.id, Number(heart)) : null
        if (!file) throw new FolderRefusal('file')
        const before = picks.of(folder.id, pickers.find(folder, requestContext))
        const on = before === null || !picks.isHearted(before.id, file.id)
        const visitor = pickers.findOrMake(folder, requestContext)
        await commit((tx) => picks.mark(tx, folder, visitor, file.id, { heart: on }))
        return response.redirect(303, `${back}#file-${file.id}`)
      }
      const visitor = pickers.find(folder, requestContext)
      if (visitor === null) throw failure('invalid')
      if (submit !== undefined) {
        const who = oneLine(name ?? '').slice(0, folderLimits.nameMost)
        if (!who) throw failure('invalid')
        const more = (note ?? '').replaceAll('\u0000', '').trim().slice(0, folderLimits.noteMost)
        await commit((tx) => {
          picks.submit(tx, folder, visitor, { name: who, note: more || null })
          if (!requestContext.session) return
          const { clientId, codeId, who: person } = requestContext.session
          const detail = `Sent picks from ${folder.title}`
          clients.audit(tx, { clientId, codeId, who: person, kind: 'selection', detail })
        })
        outbox.wake()
      } else if (another !== undefined && folder.rounds === 'many') {
        const picker = picks.of(folder.id, visitor)
        if (picker) await commit((tx) => picks.reopen(tx, picker.id))
      }
      response.redirect(303, `${back}#picks`)
    } catch (error) {
      // What cannot be done shows on the page: it is locked already, or there is nothing yet.
      if (!isFailure(error) || (error.failure !== 'clash' && error.failure !== 'invalid'))
        throw error
      response.redirect(303, `${back}#picks`)
    }
  })

  const router = Router({ strict: true })
  const form = express.urlencoded({ extended: false, limit: 32 * 1024, parameterLimit: 500 })
  router.post('/s/:id/password', limits.folderPassword, form, enter)
  router.post('/s/:id/picks', form, pick)
  return router
}

/** The texts among the posted fields; a field that came twice counts once. */
function entries(request: Request): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(
    Object.entries((request.body ?? {}) as Record<string, unknown>).flatMap(([name, value]) => {
      const text: unknown = Array.isArray(value) ? value[0] : value
      return typeof text === 'string' ? [[name, text.replaceAll('\r\n', '\n')]] : []
    }),
  )
}

/** Where a form leads back to: inside of its own folder, and nowhere else. */
function own(id: string, to: string | undefined): string {
  const home = paths.folder(encodeURIComponent(id))
  const [start, rest] = [to?.slice(0, home.length), to?.slice(home.length) ?? '']
  const isInside = /^(?:[/?][\w./?=&%-]*)?$/.test(rest) && !/(?:\.|%2e){2}/i.test(rest)
  return start === home && isInside ? home + rest : home
}

const again = (to: string) => `${to}${to.includes('?') ? '&' : '?'}wrong=1`

const oneLine = (text: string) => text.replaceAll(/[\u0000-\u001f\u007f\u2028\u2029]+/g, ' ').trim()
