import { dayMs } from '#shared/durations.ts'
import type { ClientFeature } from '../clients/feature.ts'
import { cookieName } from '../http/cookie-name.ts'
import type { RequestContext } from '../http/request-context.ts'
import type { Keys } from '../secret-key.ts'
import { isKey, newKey } from './keys.ts'
import type { PickStore } from './picks.ts'
import type { FolderQuotas } from './quotas.ts'
import type { Folder } from './store.ts'

/** How long a browser is known as the one that picked favourites. */
const cookieMs = 180 * dayMs

/** Tells whose picks are whose; nothing that it says leads back to a person. */
export type Pickers = ReturnType<typeof createPickers>

/**
 * Makes it. In a folder of his own panel a client picks under his code, on every device; codes with
 * one label are one picker, so that another code in place of an old one goes on with its picks.
 * Other visitors pick under a cookie of their browser.
 */
export function createPickers({
  panels,
  codes,
  sessionIn,
  picks,
  keys,
  quotas,
  secure,
}: {
  panels: Pick<ClientFeature['panels'], 'withFolder'>
  codes: Pick<ClientFeature['codes'], 'find'>
  sessionIn: ClientFeature['sessionIn']
  picks: Pick<PickStore, 'of'>
  keys: Keys
  quotas: FolderQuotas
  /** Whether the site is on https. */
  secure: boolean
}) {
  const cookie = cookieName('folder_picker', { secure })
  /** Picks from before a change of SECRET_KEY go on. */
  const visitorOf = ({ id }: Folder, text: string) => {
    const hashes = keys.hashes('folder-picker', text)
    return hashes.find((hash) => picks.of(id, hash) !== null) ?? hashes[0]!
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
    /** Who picks, or null for a browser that has not picked anything yet. */
    find(folder: Folder, requestContext: RequestContext): string | null {
      const key = keyOf(requestContext)
      return ofCode(folder, requestContext) ?? (key && visitorOf(folder, key))
    },

    /**
     * Like `find`; a browser that is not known yet gets its cookie.
     * @throws too-many when too many browsers began to pick lately
     */
    findOrMake(folder: Folder, requestContext: RequestContext): string {
      const known = ofCode(folder, requestContext)
      if (known) return known
      const before = keyOf(requestContext)
      // A cookie that was made up begins as often as none.
      if (before === null || !picks.of(folder.id, visitorOf(folder, before))) {
        quotas.take('picker', folder, requestContext)
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
