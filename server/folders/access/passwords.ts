import { createHash } from 'node:crypto'
import * as z from 'zod'
import { hourMs } from '#shared/dates/durations.ts'
import { cookieName, type RequestContext } from '../../http/request-context.ts'
import { isPassword } from '../../secrets/passwords.ts'
import type { Keys } from '../../secrets/secret-key.ts'
import { createSignedTokens } from '../../secrets/tokens.ts'
import type { Folder } from '../schema.ts'

/** Milliseconds for which an entered password is not asked for again, at most. */
const entryMs = 12 * hourMs

/**
 * Creates the memory of entered passwords: a cookie that is bound to the folder and to this very
 * password, so it opens no other folder, and none at all after a change.
 * @param options `secure`: whether the site is on https
 */
export function createPasswordEntries({
  keys,
  clock,
  secure,
}: {
  keys: Keys
  clock: () => number
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
    createSignedTokens({ keys, clock, purpose: `folder-entry:${key}`, schema: z.string() })

  // Its salt is drawn with every password, so none is known by what another one was; a number
  // that counts them would come again with an older backup.
  const nameOf = (password: string) => createHash('sha256').update(password).digest('base64url')

  return {
    hasEntered(folder: Folder, { cookies }: Pick<RequestContext, 'cookies'>): boolean {
      const entry: unknown = cookiesOf(folder)
        .map((name) => cookies[name])
        .find((value) => value !== undefined)
      // The cookie parser makes objects of cookies that look like JSON.
      const read = typeof entry === 'string' ? entriesOf(folder).read(entry) : null
      return folder.password !== null && read?.payload === nameOf(folder.password) && !read.expired
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
      const value = entriesOf(folder).issue(nameOf(folder.password), clock() + entryMs)
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
