import type { CodeStore } from '../clients/codes.ts'
import type { PanelStore } from '../clients/panels.ts'
import { hostCookie } from '../http/host-cookie.ts'
import type { RequestContext } from '../http/request-context.ts'
import type { Keys } from '../secret-key.ts'
import { isKey, newKey } from './keys.ts'
import type { PickStore } from './picks.ts'
import type { FolderQuotas } from './quotas.ts'
import type { Folder } from './store.ts'

/** How long a browser is known as the one that picked favourites. */
const lasts = 180 * 86_400_000

/** Tells whose picks are whose; nothing that it says leads back to a person. */
export type Pickers = ReturnType<typeof createPickers>

/**
 * Makes it. In a folder of his own panel a client picks under his code, on every device; codes with
 * one label are one picker, so that another code in place of an old one goes on with its picks.
 * Anybody else picks under a cookie of his browser.
 */
export function createPickers({
  panels,
  codes,
  keys,
  picks,
  quotas,
  secure,
}: {
  panels: Pick<PanelStore, 'withFolder'>
  codes: Pick<CodeStore, 'find'>
  keys: Keys
  picks: Pick<PickStore, 'of'>
  quotas: FolderQuotas
  /** Whether the site is on https. */
  secure: boolean
}) {
  const cookieName = hostCookie('folder_picker', { secure })
  const hashOf = (text: string) => keys.hash('folder-picker', text)
  const ofCode = (folder: Folder, { session }: RequestContext) => {
    if (!session || !panels.withFolder(folder).includes(session.panel)) return null
    return hashOf(JSON.stringify([session.clientId, codes.find(session.codeId)?.label ?? '']))
  }
  const keyOf = ({ cookies }: RequestContext) => {
    const key: unknown = cookies[cookieName]
    return typeof key === 'string' && isKey(key) ? key : null
  }

  return {
    /** Who picks, or null for a browser that has not picked anything yet. */
    find(folder: Folder, requestContext: RequestContext): string | null {
      const key = keyOf(requestContext)
      return ofCode(folder, requestContext) ?? (key && hashOf(key))
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
      if (before === null || !picks.of(folder.id, hashOf(before))) {
        quotas.take('picker', folder, requestContext)
      }
      const key = before ?? newKey()
      requestContext.setCookie(cookieName, key, {
        httpOnly: true,
        sameSite: 'lax',
        secure,
        path: '/',
        maxAge: lasts,
      })
      return hashOf(key)
    },
  }
}
