import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { createFairQueue } from '../http/limits/fair-queue.ts'
import { randomId, readableSmall } from './ids.ts'

const derive = promisify<string, Buffer, number, { N: number }, Buffer>(scrypt)

/** Memory 16 MB and some 40 ms of one core, in the thread pool. */
const scryptCost = 2 ** 14

/** Fewest characters of a password that staff choose. */
const minPasswordLength = 8
/** Max characters of one. */
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
