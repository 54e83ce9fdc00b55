import { dayMs } from '#shared/dates/durations.ts'
import type { ClientFeature } from '../../clients/feature.ts'
import { cookieName, type RequestContext } from '../../http/request-context.ts'
import type { Keys } from '../../secrets/secret-key.ts'
import { isKey, newKey } from '../store.ts'
import type { Favourites } from './store.ts'
import type { FolderQuotas } from '../limits.ts'
import type { Folder } from '../schema.ts'

/** How long a browser is known as the one that marked favourites. */
const cookieMs = 180 * dayMs

/** Tells whose favourites are whose; nothing that it says leads back to a person. */
export type FavouriteVisitors = ReturnType<typeof createFavouriteVisitors>

/**
 * In their own folder panel a client is known by their code, on every device; codes with one
 * label are one visitor, so another code in place of an old one goes on with its favourites.
 * Other visitors are known by a cookie of their browser.
 */
export function createFavouriteVisitors({
  panels,
  codes,
  sessionIn,
  favourites,
  keys,
  quotas,
  secure,
}: {
  panels: Pick<ClientFeature['panels'], 'withFolder'>
  codes: Pick<ClientFeature['codes'], 'find'>
  sessionIn: ClientFeature['sessionIn']
  favourites: Pick<Favourites, 'find'>
  keys: Keys
  quotas: FolderQuotas
  /** Whether the site is on https. */
  secure: boolean
}) {
  const cookie = cookieName('folder_picker', { secure })
  /** Favourites from before a change of SECRET_KEY go on. */
  const visitorOf = ({ id }: Folder, text: string) => {
    const hashes = keys.hashes('folder-picker', text)
    return hashes.find((hash) => favourites.find(id, hash) !== null) ?? hashes[0]!
  }
  const ofCode = (folder: Folder, requestContext: RequestContext) => {
    const session = sessionIn(requestContext)
    if (!session || !panels.withFolder(folder).includes(session.panel)) return null
    return visitorOf(
      folder,
      JSON.stringify([session.clientId, codes.find(session.codeId)?.label ?? '']),
    )
  }
  const keyOf = ({ cookies }: RequestContext) => {
    const key: unknown = cookies[cookie]
    return typeof key === 'string' && isKey(key) ? key : null
  }

  return {
    /** The hash of a visitor, or null for a browser that has not marked anything yet. */
    find(folder: Folder, requestContext: RequestContext): string | null {
      const key = keyOf(requestContext)
      return ofCode(folder, requestContext) ?? (key && visitorOf(folder, key))
    },

    /** The hash of a visitor who is known here: a client of the folder, or one with favourites. */
    known(folder: Folder, requestContext: RequestContext): string | null {
      const ofClient = ofCode(folder, requestContext)
      if (ofClient) return ofClient
      const key = keyOf(requestContext)
      const hash = key === null ? null : visitorOf(folder, key)
      return hash !== null && favourites.find(folder.id, hash) ? hash : null
    },

    /**
     * Like `find`; a browser that is not known yet gets its cookie.
     * @throws too-many when too many browsers began to mark favourites lately
     */
    findOrMake(folder: Folder, requestContext: RequestContext): string {
      const known = ofCode(folder, requestContext)
      if (known) return known
      const before = keyOf(requestContext)
      // A cookie that was made up begins as often as none.
      if (before === null || !favourites.find(folder.id, visitorOf(folder, before))) {
        quotas.take('visitor', folder, requestContext)
      }
      const key = before ?? newKey()
      requestContext.setCookie(cookie, key, {
        httpOnly: true,
        sameSite: 'lax',
        secure,
        path: '/',
        maxAge: cookieMs,
      })
      return visitorOf(folder, key)
    },
  }
}
