import type { ClientFeature } from '../../clients/feature.ts'
import type { Keys } from '../../secrets/secret-key.ts'
import type { RequestContext } from '../../http/request-context.ts'
import { isAlias, isKey, stateOf, type FolderStore } from '../store.ts'
import { createPasswordEntries } from './passwords.ts'
import type { Rights } from './rights.ts'
import type { Folder } from '../schema.ts'

/** What a visitor may do with an address. */
export type Access =
  | { state: 'open'; folder: Folder; rights: Rights }
  /** Behind its password, or the secret code of a client. */
  | { state: 'locked'; folder: Folder; by: 'password' | 'code' }
  /** Expired, or revoked by staff. */
  | { state: 'gone'; isRevoked: boolean }
  | { state: 'missing' }

/** What tells visitors apart. */
type Visitor = Pick<RequestContext, 'cookies' | 'session'>

/** The one check of who sees a folder, for pages, lists, pictures, files and ZIPs. */
export type FolderAccess = ReturnType<typeof createAccess>

/**
 * Whether a folder without a password opens with codes of its clients alone. It stays so when no panel
 * has it any more: to remove a client doesn't make its galleries public.
 * @param owners the panels that have it
 */
export const isForClients = (
  { anyone, wasInPanel }: Pick<Folder, 'anyone' | 'wasInPanel'>,
  owners: readonly unknown[],
): boolean => !anyone && (owners.length > 0 || wasInPanel)

/**
 * Decides who may see a folder. One without a password opens by its address; one that
 * is, or was, in panels belongs to their clients alone, unless staff say `anyone`. A client who is signed
 * in needs no password for what is in his panel; his code says what he may do there.
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
  const { hasEntered, enter } = createPasswordEntries({ keys, clock, secure })
  const find = (id: string) => (isKey(id) || isAlias(id) ? store.find(id) : null)

  /** What a visitor may do with what is in an address. */
  const accessTo = (id: string, requestContext: Visitor): Access => {
    const folder = find(id)
    if (!folder) return { state: 'missing' }
    const state = stateOf(folder, clock())
    if (state !== 'open') return { state: 'gone', isRevoked: state === 'revoked' }
    // A proof is shown, and kept in web size, with the agency's name on it.
    const originals = !folder.watermark
    const everything = { originals, web: true, select: true }
    if (folder.password !== null && hasEntered(folder, requestContext)) {
      return { state: 'open', folder, rights: everything }
    }
    const owners = panels.withFolder(folder)
    const isOpen = folder.password === null && !isForClients(folder, owners)
    if (isOpen) return { state: 'open', folder, rights: everything }
    const session = sessionIn(requestContext)
    const scopes = session?.scopes
    if (!session || !scopes?.has('view') || !owners.includes(session.panel)) {
      return { state: 'locked', folder, by: folder.password === null ? 'code' : 'password' }
    }
    const rights = {
      originals: originals && scopes.has('download'),
      web: scopes.has('download') || scopes.has('web'),
      select: scopes.has('select'),
    }
    return { state: 'open', folder, rights }
  }

  return {
    of: accessTo,

    /**
     * Whether who began a download still may: by now staff may have revoked their code, or the folder. One
     * that has expired meanwhile lets it come to its end.
     */
    stillOpens(id: string, requestContext: RequestContext, isGranted: (rights: Rights) => boolean) {
      const { cookies } = requestContext
      const access = accessTo(id, { cookies, session: requestContext.sessionAt(clock()) })
      return access.state === 'open'
        ? isGranted(access.rights)
        : access.state === 'gone' && !access.isRevoked
    },

    enter,
  }
}
