import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify<string, Buffer, number, { N: number }, Buffer>(scrypt)

/** Memory 16 MB and some 40 ms of one core, in the thread pool. */
const cost = 2 ** 14

/** Fewest and most characters of a folder's password. */
export const passwordLeast = 4
export const passwordMost = 200

/** Hashes a password, as the database keeps it. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derive(plain(password), salt, 32, { N: cost })
  return `scrypt.${cost}.${salt.toString('base64url')}.${hash.toString('base64url')}`
}

/** Whether a password is the one that was hashed. */
export async function isPassword(password: string, kept: string): Promise<boolean> {
  const [kind, n, salt = '', hash = ''] = kept.split('.')
  if (kind !== 'scrypt' || password.length > passwordMost) return false
  const expected = Buffer.from(hash, 'base64url')
  const given = await derive(plain(password), Buffer.from(salt, 'base64url'), expected.length, {
    N: Number(n),
  })
  return timingSafeEqual(expected, given)
}

/** Keyboards write the same letter in different ways, and phones add a space at the end. */
const plain = (password: string) => password.normalize('NFC').trim()
