import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Signing and keyed hashing; each purpose has a key of its own, derived from SECRET_KEY. */
export type Keys = {
  /** Keyed hash of a text, base64url. */
  hash(purpose: string, text: string): string
  /**
   * The hashes of a text under every key that still counts, today's first: what was written down
   * under an earlier SECRET_KEY is found by one of the others.
   */
  hashes(purpose: string, text: string): readonly string[]
  /** True when `hash` belongs to the text under any of them, compared in constant time. */
  matches(purpose: string, text: string, hash: string): boolean
}

/** Why a SECRET_KEY could be guessed; null when it cannot, or when it is one of our own. */
export const keyWarning = (secretKey: string | null): string | null =>
  secretKey !== null && secretKey.length < 32
    ? 'SECRET_KEY has fewer than 32 characters: whoever guesses it can forge tokens'
    : null

/**
 * Makes the keys. Without SECRET_KEY one is made once and kept in DATA_DIR, readable by its owner;
 * when SECRET_KEY is set later, that one still counts, as those of SECRET_KEY_OLD do.
 * @throws when the key file can be neither read nor written
 */
export function createKeys({
  secretKey,
  oldSecretKeys = [],
  dataDir,
}: {
  secretKey: string | null
  oldSecretKeys?: readonly string[]
  dataDir: string
}): Keys {
  const kept = readKept(dataDir)
  const newest = secretKey ?? kept ?? keptSecret(dataDir)
  const secrets = [...new Set([newest, ...oldSecretKeys, ...(kept === null ? [] : [kept])])]
  const hashBy = (secret: string, purpose: string, text: string) =>
    createHmac('sha256', secret).update(purpose).update('\0').update(text).digest('base64url')
  const hashes: Keys['hashes'] = (purpose, text) =>
    secrets.map((secret) => hashBy(secret, purpose, text))
  return {
    hash: (purpose, text) => hashBy(newest, purpose, text),
    hashes,
    matches(purpose, text, given) {
      const actual = Buffer.from(given)
      return hashes(purpose, text).some((each) => {
        const expected = Buffer.from(each)
        return expected.length === actual.length && timingSafeEqual(expected, actual)
      })
    },
  }
}

const fileOf = (dataDir: string) => join(dataDir, 'secret-key')

/** The key that was made here, or null. */
function readKept(dataDir: string): string | null {
  try {
    return readFileSync(fileOf(dataDir), 'utf8').trim() || null
  } catch {
    return null
  }
}

/** Makes a key and keeps it. */
function keptSecret(dataDir: string): string {
  const file = fileOf(dataDir)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  try {
    // `wx`: of two processes that start at once, the second reads what the first wrote.
    writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' })
    chmodSync(file, 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(file, 'utf8').trim()
}
