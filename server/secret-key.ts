import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Signing and keyed hashing; each purpose has a key of its own, derived from SECRET_KEY. */
export type Keys = {
  /** Keyed hash of a text, base64url. */
  hash(purpose: string, text: string): string
  /** True when `hash` belongs to the text, compared in constant time. */
  matches(purpose: string, text: string, hash: string): boolean
}

/** Why somebody could guess a SECRET_KEY; null when nobody can, or when it is one of our own. */
export const keyWarning = (secretKey: string | null): string | null =>
  secretKey !== null && secretKey.length < 32
    ? 'SECRET_KEY has fewer than 32 characters: whoever guesses it can forge tokens'
    : null

/**
 * Makes the keys. Without SECRET_KEY one is made once and kept in DATA_DIR, readable by its owner.
 * @throws when the key file can be neither read nor written
 */
export function createKeys({
  secretKey,
  dataDir,
}: {
  secretKey: string | null
  dataDir: string
}): Keys {
  const secret = secretKey ?? keptSecret(dataDir)
  const hash = (purpose: string, text: string) =>
    createHmac('sha256', secret).update(purpose).update('\0').update(text).digest('base64url')
  return {
    hash,
    matches(purpose, text, given) {
      const expected = Buffer.from(hash(purpose, text))
      const actual = Buffer.from(given)
      return expected.length === actual.length && timingSafeEqual(expected, actual)
    },
  }
}

function keptSecret(dataDir: string): string {
  const file = join(dataDir, 'secret-key')
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    mkdirSync(dataDir, { recursive: true })
    try {
      // `wx`: of two processes that start at once, the second reads what the first wrote.
      writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' })
      chmodSync(file, 0o600)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    return readFileSync(file, 'utf8').trim()
  }
}
