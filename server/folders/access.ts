import * as z from 'zod'
import { hourMs } from '#shared/durations.ts'
import type { ClientFeature } from '../clients/feature.ts'
import type { Keys } from '../secret-key.ts'
import { createSignedTokens } from '../tokens.ts'
import { cookieName } from '../http/cookie-name.ts'
import type { RequestContext } from '../http/request-context.ts'
import { isAlias, isKey } from './keys.ts'
import { isPassword } from './passwords.ts'
import type { Rights } from './rights.ts'
import { stateOf, type Folder, type FolderStore } from './store.ts'

/** What a visitor may do with an address. */
export type Access =
  | { state: 'open'; folder: Folder; rights: Rights }
  /** Behind its password, or the secret code of a client. */
  | { state: 'locked'; folder: Folder; by: 'password' | 'code' }
  /** Expired, or revoked by staff. */
  | { state: 'gone' }
  | { state: 'missing' }

/** Milliseconds for which an entered password is not asked for again, at most. */
const entryMs = 12 * hourMs

/** The one check of who sees a folder, for pages, lists, pictures, files and ZIPs. */
export type FolderAccess = ReturnType<typeof createAccess>

/**
 * Makes the check of who may see a folder. One without a password opens by its address; one that
 * stands in panels belongs to their clients alone, unless staff say `anyone`. A client who is signed
 * in needs no password for what is in his panel; his code says what he may do there. What a password
 * opens is a cookie that is bound to the folder and to this very password, so that it opens no other
 * folder, and none at all after a change.
 */
export function createAccess({
  store,
  panels,
  sessionIn,
  keys,
  clock,
  secure,
}: {
  store: FolderStore
  panels: Pick<ClientFeature['panels'], 'withFolder'>
  sessionIn: ClientFeature['sessionIn']
  keys: Keys
  clock: () => number
  /** Whether the site is on https. */
  secure: boolean
}) {
  // The name must not disclose the key to a visitor who knows only an alias.
  // The first is the name today; the others are of earlier SECRET_KEYs.
  const cookiesOf = ({ key }: Folder) =>
    keys
      .hashes('folder-cookie', key)
      .map((hash) => cookieName(`folder_${hash.slice(0, 12)}`, { secure }))
  // The purpose binds an entry to its folder without naming the folder in the cookie.
  const entriesOf = ({ key }: Folder) =>
    createSignedTokens({ keys, clock, purpose: `folder-entry:${key}`, schema: z.int() })

  const hasEntered = (folder: Folder, { cookies }: RequestContext) => {
    const entry: unknown = cookiesOf(folder)
      .map((name) => cookies[name])
      .find((value) => value !== undefined)
    // The cookie parser makes objects of cookies that look like JSON.
    const read = typeof entry === 'string' ? entriesOf(folder).read(entry) : null
    return read?.payload === folder.passwordVersion && !read.expired
  }

  const find = (id: string) => (isKey(id) || isAlias(id) ? store.find(id) : null)

  return {
    /** What a visitor may do with what stands in an address. */
    of(id: string, requestContext: RequestContext): Access {
      const folder = find(id)
      if (!folder) return { state: 'missing' }
      if (stateOf(folder, clock()) !== 'open') return { state: 'gone' }
      const everything = { originals: true, web: true, select: true }
      if (folder.password !== null && hasEntered(folder, requestContext)) {
        return { state: 'open', folder, rights: everything }
      }
      const owners = panels.withFolder(folder)
      const isOpen = folder.password === null && (owners.length === 0 || folder.anyone === 1)
      if (isOpen) return { state: 'open', folder, rights: everything }
      const session = sessionIn(requestContext)
      const scopes = session?.scopes
      if (!session || !scopes?.has('view') || !owners.includes(session.panel)) {
        return { state: 'locked', folder, by: folder.password === null ? 'code' : 'password' }
      }
      const originals = scopes.has('download')
      const rights = {
        originals,
        web: originals || scopes.has('web'),
        select: scopes.has('select'),
      }
      return { state: 'open', folder, rights }
    },

    /** Lets a visitor in who knows the password, for this session. @returns whether he does */
    async enter(
      folder: Folder,
      password: string,
      requestContext: RequestContext,
    ): Promise<boolean> {
      if (
        folder.password === null ||
        !(await isPassword(password, folder.password, requestContext.address))
      )
        return false
      const value = entriesOf(folder).issue(folder.passwordVersion, clock() + entryMs)
      requestContext.setCookie(cookiesOf(folder)[0]!, value, {
        httpOnly: true,
        sameSite: 'lax',
        secure,
        path: '/',
      })
      return true
    },
  }
}
