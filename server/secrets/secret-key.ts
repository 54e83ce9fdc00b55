import { createHmac, timingSafeEqual } from 'node:crypto'
import { dayMs } from '#shared/dates/durations.ts'
import {
  fingerprintOf,
  makeSecret,
  readKeyRecord,
  readOldSecrets,
  readSecret,
  stampOf,
  type KeyRecord,
} from './key-files.ts'
import { sealWith, unsealWith } from './seal.ts'
import { StartError } from '../start-error.ts'

/** Signing and keyed hashing; each purpose has its own key, derived from SECRET_KEY. */
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
  /** Encrypts a text under today's key, for what has to be read again. */
  seal(purpose: string, text: string): string
  /**
   * The text that {@link Keys.seal} encrypted, under whichever key that still counts.
   * @returns null when none of them opens it; `isCurrent` tells whether it was today's
   */
  unseal(purpose: string, sealed: string): { text: string; isCurrent: boolean } | null
}

/** Why a SECRET_KEY could be guessed; null when it cannot, or when it is one of our own. */
export const keyWarning = (secretKey: string | null): string | null =>
  secretKey !== null && secretKey.length < 32
    ? 'SECRET_KEY has fewer than 32 characters: anyone who guesses it can forge tokens'
    : null

/** Days for which the key in DATA_DIR goes on counting once SECRET_KEY has taken its place. */
export const replacedKeyDays = 30

/** Milliseconds after which another process's change to the keys is noticed. */
const lookEvery = 1_000

/** Where keys come from. */
export type KeySource = {
  secretKey: string | null
  oldSecretKeys?: readonly string[]
  dataDir: string
  clock?: () => number
}

/** A key that is present. */
export type PresentKey = {
  secret: string
  fingerprint: string
  source: 'SECRET_KEY' | 'SECRET_KEY_OLD' | 'secret-key' | 'secret-key.old'
  /** `current` signs; `earlier` is still accepted; `revoked` and `ended` no longer are. */
  state: 'current' | 'earlier' | 'revoked' | 'ended'
  /** Milliseconds of the epoch when it was first seen; null before that was recorded. */
  since: number | null
  /** When it stops counting by itself; null where nothing but `keys revoke` ends it. */
  endsAt: number | null
}

/** Where the keys of a configuration come from. */
export const keySource = (
  { secretKey, oldSecretKeys, dataDir }: Required<Omit<KeySource, 'clock'>>,
  clock: () => number,
): KeySource => ({ secretKey, oldSecretKeys, dataDir, clock })

/** Every key that is present, the current one first. Makes none. */
export function presentKeys(
  { secretKey, oldSecretKeys = [], dataDir, clock = Date.now }: KeySource,
  record: KeyRecord = readKeyRecord(dataDir),
): PresentKey[] {
  const kept = readSecret(dataDir)
  const found: Pick<PresentKey, 'secret' | 'source'>[] = [
    ...(secretKey === null ? [] : [{ secret: secretKey, source: 'SECRET_KEY' as const }]),
    ...(kept === null ? [] : [{ secret: kept, source: 'secret-key' as const }]),
    ...oldSecretKeys.map((secret) => ({ secret, source: 'SECRET_KEY_OLD' as const })),
    ...readOldSecrets(dataDir).map((secret) => ({ secret, source: 'secret-key.old' as const })),
  ]
  const unique = found.filter(
    ({ secret }, index) => found.findIndex((each) => each.secret === secret) === index,
  )
  return unique.map(({ secret, source }, index) => {
    const fingerprint = fingerprintOf(secret)
    const { since = null, replacedAt = null, revokedAt = null } = record.keys[fingerprint] ?? {}
    const ends = index > 0 && source === 'secret-key' && replacedAt !== null
    const endsAt = ends ? replacedAt + replacedKeyDays * dayMs : null
    const state =
      index === 0
        ? ('current' as const)
        : revokedAt !== null
          ? ('revoked' as const)
          : endsAt !== null && endsAt <= clock()
            ? ('ended' as const)
            : ('earlier' as const)
    return { secret, fingerprint, source, state, since, endsAt }
  })
}

/** The fingerprints of the keys that count, the current one first. */
export const countingFingerprints = (source: KeySource): string[] =>
  presentKeys(source)
    .filter(({ state }) => state === 'current' || state === 'earlier')
    .map(({ fingerprint }) => fingerprint)

/**
 * The name under which a purpose can be revoked: one for all tokens of a kind, whatever thing they
 * are about.
 */
const revocableName = (purpose: string): string => purpose.replace(/^token:/, '').split(':', 1)[0]!

/**
 * Makes the keys. Without SECRET_KEY one is made once and kept in DATA_DIR, readable by its owner;
 * when SECRET_KEY is set later, that one still counts for {@link replacedKeyDays} days, and those of
 * SECRET_KEY_OLD as long as they are set. What the command line rotates or revokes meanwhile is
 * noticed within a second.
 *
 * A kind of token is revoked by a random value that is mixed into its hashes from then on: whatever
 * the token carries, all earlier ones stop matching.
 * @throws when the key file can be neither read nor written, or keys.json is damaged
 */
export function createKeys(source: KeySource): Keys {
  const { secretKey, dataDir } = source
  if (secretKey === null && readSecret(dataDir) === null) makeSecret(dataDir)

  const load = (stamp: string) => {
    const record = readKeyRecord(dataDir)
    const counting = presentKeys(source, record).filter(
      ({ state }) => state === 'current' || state === 'earlier',
    )
    if (counting.length === 0) {
      throw new StartError(`The key in ${dataDir}/secret-key can’t be read or is empty.`)
    }
    return { stamp, counting, revocations: record.kinds }
  }
  let loaded = load(stampOf(dataDir))
  let lookedAt = performance.now()
  const present = () => {
    if (performance.now() - lookedAt < lookEvery) return loaded
    lookedAt = performance.now()
    const stamp = stampOf(dataDir)
    if (stamp !== loaded.stamp) {
      try {
        loaded = load(stamp)
      } catch {
        // Files that cannot be read now change nothing; the next start says what is wrong.
      }
    }
    return loaded
  }
  const clock = source.clock ?? Date.now
  const secrets = () =>
    present()
      .counting.filter(({ endsAt }) => endsAt === null || endsAt > clock())
      .map(({ secret }) => secret)

  const hashBy = (secret: string, purpose: string, text: string) => {
    const hmac = createHmac('sha256', secret).update(purpose).update('\0')
    const revocation = loaded.revocations[revocableName(purpose)]
    // Without one the hashes are those of the versions before there was any.
    if (revocation) hmac.update(revocation.value).update('\0')
    return hmac.update(text).digest('base64url')
  }
  const hashes: Keys['hashes'] = (purpose, text) =>
    secrets().map((secret) => hashBy(secret, purpose, text))
  return {
    hash: (purpose, text) => hashBy(present().counting[0]!.secret, purpose, text),
    hashes,
    matches(purpose, text, given) {
      const actual = Buffer.from(given)
      return hashes(purpose, text).some((each) => {
        const expected = Buffer.from(each)
        return expected.length === actual.length && timingSafeEqual(expected, actual)
      })
    },
    seal: (purpose, text) => sealWith(present().counting[0]!.secret, purpose, text),
    unseal(purpose, sealed) {
      for (const [index, secret] of secrets().entries()) {
        const text = unsealWith(secret, purpose, sealed)
        if (text !== null) return { text, isCurrent: index === 0 }
      }
      return null
    },
  }
}
