import { randomBytes, scrypt, timingSafeEqual, createHash } from 'node:crypto'
import { promisify } from 'node:util'
import * as z from 'zod'
import { hourMs } from '#shared/durations.ts'
import { createFairQueue } from '../../http/limits/fair-queue.ts'
import { randomId, readableSmall } from '../../ids.ts'
import { cookieName, type RequestContext } from '../../http/request-context.ts'
import type { Keys } from '../../secret-key.ts'
import { createSignedTokens } from '../../tokens.ts'
import type { Folder } from '../schema.ts'

const derive = promisify<string, Buffer, number, { N: number }, Buffer>(scrypt)

/** Memory 16 MB and some 40 ms of one core, in the thread pool. */
const scryptCost = 2 ** 14

/** Fewest and most characters of a folder's password. */
const minPasswordLength = 8
const maxPasswordLength = 200

/** A new password of 12 random characters, 57 bits, in groups for reading. */
export function newPassword(): string {
  const group = () => randomId(4, readableSmall)
  return `${group()}-${group()}-${group()}`
}

/**
 * Checks a password that staff chose.
 * @throws an Error with a sentence when it is too short or too long
 */
export function checkPassword(password: string): void {
  const { length } = Array.from(plain(password))
  if (length < minPasswordLength || password.length > maxPasswordLength) {
    throw new Error(`Use ${minPasswordLength} to ${maxPasswordLength} characters for the password.`)
  }
}

/** Hashes a password, as the database keeps it. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derive(plain(password), salt, 32, { N: scryptCost })
  return `scrypt.${scryptCost}.${salt.toString('base64url')}.${hash.toString('base64url')}`
}

/** Few at once: each takes a thread that files and checksums need, too. */
const queue = createFairQueue({ parallel: 2, each: 10, waiting: 100 })

/**
 * Whether a password is the one that was hashed.
 * @param client whose turn it is, such as a client address
 * @throws too-many and unavailable when too many are being checked already
 */
export async function isPassword(password: string, kept: string, client: string): Promise<boolean> {
  const [kind, n, salt = '', hash = ''] = kept.split('.')
  if (kind !== 'scrypt' || password.length > maxPasswordLength) return false
  const expected = Buffer.from(hash, 'base64url')
  const given = await queue(client, () =>
    derive(plain(password), Buffer.from(salt, 'base64url'), expected.length, { N: Number(n) }),
  )
  return timingSafeEqual(expected, given)
}

/** Keyboards write the same letter in different ways, and phones add a space at the end. */
const plain = (password: string) => password.normalize('NFC').trim()

/** Milliseconds for which an entered password is not asked for again, at most. */
const entryMs = 12 * hourMs

/**
 * Makes what remembers that a password was entered: a cookie that is bound to the folder and to this
 * very password, so it opens no other folder, and none at all after a change.
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
    hasEntered(folder: Folder, { cookies }: RequestContext): boolean {
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
