import express, { Router, type Response } from 'express'
import { failure, isFailure } from '#shared/failures.ts'
import { favouritesForm, type FavouritesForm } from '#shared/folders/folders.ts'
import { checkForm, entriesOf } from '#shared/forms/form.ts'
import type { ClientFeature } from '../../clients/feature.ts'
import type { Platform } from '../../feature.ts'
import { allowMethods } from '../../http/methods.ts'
import { wantsPage } from '../../http/replies/failures.ts'
import type { GetLimit } from '../../http/limits/limits.ts'
import { requestContextOf } from '../../http/request-context.ts'
import type { Folders } from '../folders.ts'
import type { FavouriteVisitors } from './visitors.ts'
import { favouriteLimit, type FolderQuotas } from '../limits.ts'
import { FolderRefusal, FormReturned, type createReplies } from '../access/refusals.ts'
import { folderReturnPath } from '../place.ts'
import type { Folder } from '../schema.ts'

/** What the routes of favourites need. */
type Dependencies = {
  clients: Pick<ClientFeature, 'audit' | 'sessionIn'>
  folders: Pick<Folders, 'store' | 'favourites'>
  visitors: FavouriteVisitors
  quotas: FolderQuotas
}

/**
 * The form of favourites, which works without scripts: a heart, taking out a file that has left the gallery,
 * sending them, another round.
 */
export function favouriteRoutes(
  platform: Pick<Platform, 'commit' | 'outbox'>,
  limit: GetLimit,
  {
    inFolder,
    ...dependencies
  }: Dependencies & { inFolder: ReturnType<typeof createReplies>['inFolder'] },
): Router {
  const { toggle, takeOut, isSentWithout, revisionOf, send, openAgain } = createFavouriteActions(
    platform,
    dependencies,
  )

  const answer = inFolder(async (folder, request, response, { select }) => {
    if (!select) throw new FolderRefusal('select')
    const entries = entriesOf(request.body as object | undefined)
    const { heart, remove, submit, again, seen, to } = entries
    const back = folderReturnPath(String(request.params.id), to)
    let place = 'picks-title'
    try {
      if (heart !== undefined) place = await toggle(folder, heart, response)
      else if (remove !== undefined) {
        await takeOut(folder, Number(remove), response)
        // What was typed beside the list isn't sent by this, and stays.
        const { name, note } = entries
        if (wantsPage(request) && (name || note)) {
          const isTooLate = note ? isSentWithout(folder, note, response) : false
          throw new FormReturned({ entries, errors: isTooLate ? { request: sentWithout } : {} })
        }
      } else if (submit !== undefined) {
        const { value: form, errors } = checkForm(favouritesForm, entries)
        if (errors) throw new FormReturned({ entries, errors })
        if (form.note && isSentWithout(folder, form.note, response)) {
          throw new FormReturned({ entries, errors: { request: sentWithout } })
        }
        const revision = revisionOf(folder, response)
        if (seen !== undefined && revision !== null && Number(seen) !== revision) {
          throw new FormReturned({ entries, errors: { request: changedSince } })
        }
        await send(folder, form, response)
      } else if (again !== undefined) await openAgain(folder, response)
    } catch (error) {
      // What cannot be done shows on the page: it is locked already, or there is nothing yet.
      const isShown = isFailure(error) && ['wrong-state', 'invalid'].includes(error.failure)
      if (!isShown) throw error
    }
    response.redirect(303, `${back}#${place}`)
  })

  const router = Router({ strict: true })
  const form = express.urlencoded({ extended: false, limit: 32 * 1024, parameterLimit: 500 })
  router.post('/s/:id/picks', limit(favouriteLimit), form, answer)
  router.all('/s/:id/picks', allowMethods(['POST']))
  return router
}

/** What is marked isn't what the page shows that sends it: what is sent can't be changed. */
const changedSince =
  'Your favourites have changed since you opened this page: on another device, or because we removed files. Check the list, then send it.'

/** The favourites were sent from another device before, so the message of this one goes nowhere. */
const sentWithout =
  'These favourites had already been sent from another device, so your message wasn’t. Contact us to pass it on:'

/** Creates the acts of a visitor's form. */
function createFavouriteActions(
  { commit, outbox }: Pick<Platform, 'commit' | 'outbox'>,
  { clients, folders: { store, favourites }, visitors, quotas }: Dependencies,
) {
  /**
   * Turns a heart on or off.
   * @param wanted a file and what its heart is to be, such as `12-on`; the other way round where that's
   *   left out
   * @returns where on the page it is
   */
  const toggle = async (folder: Folder, wanted: string, response: Response): Promise<string> => {
    const requestContext = requestContextOf(response)
    const [, id, way] = /^(\d{1,15})(?:-(on|off))?$/.exec(wanted) ?? []
    const file = id === undefined ? null : store.file(folder.id, Number(id))
    if (!file) throw new FolderRefusal('file')
    const before = favourites.find(folder.id, visitors.find(folder, requestContext))
    const on = way ? way === 'on' : before === null || !favourites.isFavourite(before.id, file.id)
    const hash = visitors.findOrMake(folder, requestContext)
    await commit((tx) => favourites.save(tx, folder, hash, file.id, { heart: on }))
    return `file-${file.id}`
  }

  /** Takes a file that has left the folder out of the list; nothing where it isn't in there. */
  const takeOut = async (folder: Folder, lost: number, response: Response): Promise<void> => {
    const hash = visitors.find(folder, requestContextOf(response))
    const visitor = favourites.find(folder.id, hash)
    if (!hash || !visitor || !favourites.lostOf(visitor.id).some(({ file }) => file === lost))
      return
    await commit((tx) => favourites.unmarkLost(tx, folder, hash, lost))
  }

  /** How often what the visitor has marked has changed; null once it was sent, which says so itself. */
  const revisionOf = (folder: Folder, response: Response): number | null => {
    const hash = visitors.find(folder, requestContextOf(response))
    const visitor = favourites.find(folder.id, hash)
    return visitor === null || visitor.submittedAt !== null ? null : visitor.revision
  }

  /** Whether the visitor's favourites were sent, and without this message. */
  const isSentWithout = (folder: Folder, note: string, response: Response): boolean => {
    const hash = visitors.find(folder, requestContextOf(response))
    const visitor = favourites.find(folder.id, hash)
    if (visitor === null || visitor.submittedAt === null) return false
    const { id, round } = visitor
    return !favourites
      .submissions(folder.id)
      .some((sent) => sent.visitor === id && sent.round === round && sent.note === note)
  }

  const send = async (
    folder: Folder,
    { name, note }: FavouritesForm,
    response: Response,
  ): Promise<void> => {
    const requestContext = requestContextOf(response)
    const hash = visitors.find(folder, requestContext)
    const visitor = favourites.find(folder.id, hash)
    if (!hash || !visitor) throw failure('invalid')
    if (visitor.submittedAt === null) quotas.take('submission', folder, requestContext)
    await commit((tx) => {
      favourites.submit(tx, folder, hash, { name, note: note ?? null })
      const session = clients.sessionIn(requestContext)
      if (!session) return
      const { clientId, codeId, who: person } = session
      const detail = `Sent favourites from ${folder.title}`
      clients.audit(tx, { clientId, codeId, who: person, kind: 'selection', detail })
    })
    outbox.wake()
  }

  const openAgain = async (folder: Folder, response: Response): Promise<void> => {
    const hash = visitors.find(folder, requestContextOf(response))
    const visitor = favourites.find(folder.id, hash)
    if (visitor && folder.rounds === 'many') await commit((tx) => favourites.reopen(tx, visitor.id))
  }

  return { toggle, takeOut, isSentWithout, revisionOf, send, openAgain }
}
