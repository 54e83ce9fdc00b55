import express, { Router, type Request, type Response } from 'express'
import { failure, isFailure } from '#shared/failures.ts'
import { folderLimits } from '#shared/folder-numbers.ts'
import { oneLine } from '#shared/text.ts'
import type { ClientFeature } from '../clients/feature.ts'
import type { Platform } from '../feature.ts'
import type { GetLimit } from '../http/limits.ts'
import { requestContextOf } from '../http/request-context.ts'
import { entriesOf, placeInFolder } from './form-entries.ts'
import type { Folders } from './folders.ts'
import type { Pickers } from './pickers.ts'
import type { FolderQuotas } from './quotas.ts'
import { markLimit } from './rate-limits.ts'
import { FolderRefusal, type createReplies } from './replies.ts'
import type { Folder } from './store.ts'

/** What picks are made with. */
type Dependencies = {
  clients: Pick<ClientFeature, 'audit' | 'sessionIn'>
  folders: Pick<Folders, 'store' | 'picks'>
  pickers: Pickers
  quotas: FolderQuotas
}

/** The form of favourites, which works without scripts: a heart, sending the picks, another round. */
export function pickRoutes(
  platform: Pick<Platform, 'commit' | 'outbox'>,
  limit: GetLimit,
  {
    inFolder,
    ...dependencies
  }: Dependencies & { inFolder: ReturnType<typeof createReplies>['inFolder'] },
): Router {
  const { turnHeart, send, openAgain } = createPickActions(platform, dependencies)

  const answer = inFolder(async (folder, request, response, { select }) => {
    if (!select) throw new FolderRefusal('scope')
    const { heart, submit, again, to } = entriesOf(request)
    const back = placeInFolder(String(request.params.id), to)
    let place = 'picks'
    try {
      if (heart !== undefined) place = await turnHeart(folder, heart, response)
      else if (submit !== undefined) await send(folder, request, response)
      else if (again !== undefined) await openAgain(folder, response)
    } catch (error) {
      // What cannot be done shows on the page: it is locked already, or there is nothing yet.
      const isShown = isFailure(error) && ['clash', 'invalid'].includes(error.failure)
      if (!isShown) throw error
    }
    response.redirect(303, `${back}#${place}`)
  })

  const router = Router({ strict: true })
  const form = express.urlencoded({ extended: false, limit: 32 * 1024, parameterLimit: 500 })
  router.post('/s/:id/picks', limit(markLimit), form, answer)
  return router
}

/** Makes what a visitor may do with the form. */
function createPickActions(
  { commit, outbox }: Pick<Platform, 'commit' | 'outbox'>,
  { clients, folders: { store, picks }, pickers, quotas }: Dependencies,
) {
  /** Turns a heart on or off. @returns where on the page it is */
  const turnHeart = async (folder: Folder, wanted: string, response: Response): Promise<string> => {
    const requestContext = requestContextOf(response)
    const file = /^\d{1,15}$/.test(wanted) ? store.file(folder.id, Number(wanted)) : null
    if (!file) throw new FolderRefusal('file')
    const before = picks.of(folder.id, pickers.find(folder, requestContext))
    const on = before === null || !picks.isHearted(before.id, file.id)
    const visitor = pickers.findOrMake(folder, requestContext)
    await commit((tx) => picks.mark(tx, folder, visitor, file.id, { heart: on }))
    return `file-${file.id}`
  }

  const send = async (folder: Folder, request: Request, response: Response): Promise<void> => {
    const requestContext = requestContextOf(response)
    const { name = '', note = '' } = entriesOf(request)
    const visitor = pickers.find(folder, requestContext)
    const who = oneLine(name).slice(0, folderLimits.nameMost)
    const picker = picks.of(folder.id, visitor)
    if (!visitor || !picker || !who) throw failure('invalid')
    if (picker.submittedAt === null) quotas.take('submission', folder, requestContext)
    const more = note.replaceAll('\u0000', '').trim().slice(0, folderLimits.noteMost)
    await commit((tx) => {
      picks.submit(tx, folder, visitor, { name: who, note: more || null })
      const session = clients.sessionIn(requestContext)
      if (!session) return
      const { clientId, codeId, who: person } = session
      const detail = `Sent picks from ${folder.title}`
      clients.audit(tx, { clientId, codeId, who: person, kind: 'selection', detail })
    })
    outbox.wake()
  }

  const openAgain = async (folder: Folder, response: Response): Promise<void> => {
    const visitor = pickers.find(folder, requestContextOf(response))
    const picker = picks.of(folder.id, visitor)
    if (picker && folder.rounds === 'many') await commit((tx) => picks.reopen(tx, picker.id))
  }

  return { turnHeart, send, openAgain }
}
