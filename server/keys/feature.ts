import { randomBytes } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { dayMs } from '#shared/dates/durations.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Feature, Finding, Platform, SignedKind } from '../feature.ts'
import {
  changeKeyRecord,
  readKeyRecord,
  readSecret,
  removeSecrets,
  writeSecrets,
  type KeyRecord,
} from '../secrets/key-files.ts'
import { finishRotations, notePresent, startRotation } from '../secrets/rotation.ts'
import { keySource, presentKeys, type PresentKey } from '../secrets/secret-key.ts'
import { siteAct } from '../timeline/timeline.ts'

/** Days after which an earlier key should be revoked. */
const oldKeyDays = 30

/** A key without its secret. */
type ShownKey = Omit<PresentKey, 'secret'>

/** A kind of token, and when it was revoked last. */
type ShownKind = Pick<SignedKind, 'kind' | 'what'> & { revokedAt: number | null }

/** What `keys revoke` ends. */
export type Revocation = {
  /** Every key but the current one. */
  earlierKeys: boolean
  /** Names of kinds. */
  kinds: readonly string[]
}

/** The keys that tokens, links and codes rest on: showing, rotating, revoking. */
export type KeyFeature = Feature & {
  show(): { keys: ShownKey[]; kinds: ShownKind[] }
  /**
   * Writes every key that still counts to a new file of mode 0600, the current one first.
   * @param by who does it, for the timeline, as in all that follow
   * @throws when the file exists
   */
  writeTo(file: string, by: string): Promise<void>
  /**
   * Creates a new key in DATA_DIR; the previous one stays valid.
   * @param isLost says that the key that signed is gone for good, where none is present
   * @returns the new key, and whether there was none before it: then all that was signed is void
   * @throws while SECRET_KEY is set
   */
  rotate(by: string, isLost?: boolean): Promise<{ key: ShownKey; wasLost: boolean }>
  /**
   * What a revocation would end: earlier keys, and kinds with everything that they cover.
   * @throws for an unknown kind
   */
  plan(revocation: Revocation): { keys: ShownKey[]; kinds: ShownKind[] }
  /** Ends earlier keys and kinds for good. @throws for an unknown kind */
  revoke(revocation: Revocation, by: string): Promise<{ keys: ShownKey[]; kinds: ShownKind[] }>
}

export function keyFeature({
  config,
  clock,
  commit,
  serverSettings,
  timeline,
  contributions,
}: Platform): KeyFeature {
  const { dataDir } = config
  const source = keySource(config, clock)
  const signs = (): readonly SignedKind[] => contributions().signs
  const show = () => {
    const record = readKeyRecord(dataDir)
    return {
      keys: presentKeys(source, record).map(withoutSecret),
      kinds: kindsOf(signs(), record),
    }
  }
  /** What is wrong when this process would sign with another key than the server; null when nothing is. */
  const difference = (): string | null => {
    const record = readKeyRecord(dataDir)
    const [current] = presentKeys(source, record)
    if (!record.signing || record.signing === current?.fingerprint) return null
    if (!current) {
      return `the server signs with ${record.signing}, and this command has no key; give both the same SECRET_KEY. If that key is gone for good, run keys rotate --lost`
    }
    return `the server signs with ${record.signing}, this command with ${current.fingerprint} (${current.source}); give both the same SECRET_KEY`
  }
  const assertSameKey = () => {
    const text = difference()
    if (text) throw new Error(`Keys can’t be changed here: ${text}.`)
  }
  const plan: KeyFeature['plan'] = ({ earlierKeys, kinds }) => {
    const shown = show()
    for (const kind of kinds) {
      if (shown.kinds.some((each) => each.kind === kind)) continue
      const names = shown.kinds.map((each) => each.kind).join(', ')
      throw new Error(`Unknown kind: ${kind}. Valid kinds: ${names}.`)
    }
    return {
      keys: earlierKeys
        ? shown.keys.filter(({ state }) => state === 'earlier' || state === 'ended')
        : [],
      kinds: shown.kinds.filter(({ kind }) => kinds.includes(kind)),
    }
  }

  /** Writes down what was done with which keys and kinds; nothing where it was nothing. */
  const recordAct = (
    tx: Transaction,
    actor: string,
    act: string,
    ofKeys: readonly Pick<ShownKey, 'fingerprint'>[],
    ofKinds: readonly Pick<ShownKind, 'kind'>[] = [],
  ) => {
    const names = [
      ...ofKeys.map(({ fingerprint }) => `key ${fingerprint}`),
      ...ofKinds.map(({ kind }) => `all ${kind}`),
    ]
    if (names.length === 0) return
    timeline.record(tx, siteAct('keys', { actor, act, note: names.join(', ') }))
  }

  return {
    name: 'keys',
    show,
    plan,
    async writeTo(file, by) {
      const counting = presentKeys(source).filter(({ state }) => state !== 'revoked')
      const text = counting.map(({ secret }) => `${secret}\n`).join('')
      const copy = await open(file, 'wx', 0o600)
      try {
        await copy.writeFile(text)
        await copy.sync()
      } catch (error) {
        // Half a key, or none, must not pass for a copy.
        await rm(file, { force: true })
        throw error
      } finally {
        await copy.close()
      }
      await commit((tx) => recordAct(tx, by, 'written to a file', counting))
    },
    async rotate(by, isLost = false) {
      const hasKey = presentKeys(source).length > 0
      if (isLost && hasKey) throw new Error('The key isn’t lost. Run keys rotate without --lost.')
      if (hasKey || !isLost) assertSameKey()
      if (config.secretKey !== null) {
        throw new Error(
          'SECRET_KEY is set, so the key isn’t stored here. Move its value to SECRET_KEY_OLD, put a new one into SECRET_KEY (openssl rand -hex 32), and restart.',
        )
      }
      startRotation(source, by, clock())
      const key = show().keys[0]!
      await finishRotations(dataDir, { commit, timeline, settings: serverSettings })
      return { key, wasLost: !hasKey }
    },
    async revoke(revocation, by) {
      assertSameKey()
      const ended = plan(revocation)
      const kinds = signs().filter(({ kind }) => revocation.kinds.includes(kind))
      // The rows first: were it cut off in between, a second run ends the rest.
      await commit((tx) => {
        recordAct(tx, by, 'revoked', ended.keys, ended.kinds)
        for (const kind of kinds) kind.revoke?.(tx)
        if (revocation.earlierKeys) for (const kind of signs()) kind.renew?.(tx)
      })
      changeKeyRecord(dataDir, (record) => {
        const at = clock()
        const next = { ...record, keys: { ...record.keys }, kinds: { ...record.kinds } }
        for (const { fingerprint, since } of ended.keys) {
          const known = next.keys[fingerprint] ?? { since: since ?? at, replacedAt: at }
          next.keys[fingerprint] = { ...known, revokedAt: at }
        }
        for (const purpose of kinds.flatMap(({ purposes }) => purposes)) {
          next.kinds[purpose] = { value: randomBytes(16).toString('base64url'), at }
        }
        if (revocation.earlierKeys) {
          if (config.secretKey === null) writeSecrets(dataDir, [readSecret(dataDir)!])
          else removeSecrets(dataDir)
        }
        return next
      })
      return ended
    },
    signs: [
      {
        kind: 'forms',
        what: 'open forms',
        purposes: ['form-proof'],
      },
    ],
    // The server alone, since a shell may lack its SECRET_KEY.
    start: () =>
      changeKeyRecord(dataDir, (record) => {
        const noted = notePresent(source, record, clock())
        return isDeepStrictEqual(noted, record) ? null : noted
      }),
    doctor: [
      {
        check: 'keys',
        look() {
          const text = difference()
          return text ? { state: 'fail', text } : checkKeys(show().keys, clock())
        },
      },
    ],
  }
}

const withoutSecret = ({ secret: _secret, ...key }: PresentKey): ShownKey => key

/** Kinds with what all features say of them, in the order of features. */
function kindsOf(signs: readonly SignedKind[], { kinds }: KeyRecord): ShownKind[] {
  const found = new Map<string, ShownKind>()
  for (const { kind, what, purposes } of signs) {
    const times = purposes.map((purpose) => kinds[purpose]?.at ?? null)
    const revokedAt = times.find((at) => at !== null) ?? null
    const before = found.get(kind)
    found.set(kind, { kind, what: before ? `${before.what}; ${what}` : what, revokedAt })
  }
  return [...found.values()]
}

/** What the doctor says of keys. */
function checkKeys(keys: readonly ShownKey[], now: number): Finding {
  const [current] = keys
  if (!current) return { state: 'fail', text: 'there is none' }
  const inVain = keys.filter(({ state }) => state === 'revoked' || state === 'ended')
  const earlier = keys.filter(({ state }) => state === 'earlier')
  const notes = [
    ...earlier.map(({ fingerprint, source, endsAt }) => {
      const until = endsAt === null ? 'until it is revoked' : `until ${dayOf(endsAt)}`
      return `the earlier key ${fingerprint} (${source}) is still accepted ${until}`
    }),
    ...inVain.map(
      ({ fingerprint, source }) => `${fingerprint} (${source}) is no longer accepted; remove it`,
    ),
  ]
  const text = [`${current.fingerprint} signs, from ${current.source}`, ...notes].join('; ')
  const isOld = earlier.some(
    ({ since, endsAt }) => endsAt !== null || (since ?? now) < now - oldKeyDays * dayMs,
  )
  return isOld || inVain.length > 0
    ? { state: 'warn', text: `${text}; revoke earlier ones with pitlane keys revoke` }
    : { state: 'ok', text }
}

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)
