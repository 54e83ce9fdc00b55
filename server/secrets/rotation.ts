import type { Commit } from '../db/group-commit.ts'
import type { ServerSettings } from '../state/server-settings.ts'
import { siteAct, type Timeline } from '../timeline/timeline.ts'
import {
  changeKeyRecord,
  fingerprintOf,
  newSecret,
  readKeyRecord,
  readOldSecrets,
  readSecret,
  writeKeyRecord,
  writeSecrets,
  type KeyRecord,
} from './key-files.ts'
import { createKeys, presentKeys, type KeySource } from './secret-key.ts'

/**
 * Puts a new key into DATA_DIR, with which a running server signs within a second. The database knows
 * nothing of it until {@link finishRotations}; a process that ends in between leaves that to the next one.
 * @param by who does it
 * @throws when another process is changing the keys
 */
export function startRotation(source: KeySource, by: string, at: number): void {
  const { dataDir } = source
  changeKeyRecord(dataDir, (record) => {
    const secret = newSecret()
    const rotation = { fingerprint: fingerprintOf(secret), by, at }
    const begun = { ...record, rotations: [...(record.rotations ?? []), rotation] }
    // Ahead of the key: who finds one here that nothing has recorded yet knows where it came from.
    writeKeyRecord(dataDir, begun)
    const present = readSecret(dataDir)
    const old = readOldSecrets(dataDir)
    writeSecrets(dataDir, [secret, ...(present === null ? old : [present, ...old])])
    return notePresent(source, begun, at)
  })
}

/**
 * Records rotations in the timeline, and the newest key as that of the server, where that isn't done
 * yet. Harmless twice, and beside another process.
 * @throws when another process is changing the keys
 */
export async function finishRotations(
  dataDir: string,
  {
    commit,
    timeline,
    settings,
  }: {
    commit: Commit
    timeline: Pick<Timeline, 'of' | 'record'>
    settings: Pick<ServerSettings, 'recordKey'>
  },
): Promise<void> {
  if (!readKeyRecord(dataDir).rotations) return
  // Such a key is in DATA_DIR, whatever SECRET_KEY this process has.
  const source: KeySource = { secretKey: null, dataDir }
  // While a key is being written, this waits for the process that does it.
  changeKeyRecord(dataDir, (record) => {
    const last = record.rotations?.at(-1)
    return last ? notePresent(source, record, last.at) : null
  })
  const { rotations = [], keys } = readKeyRecord(dataDir)
  const entries = rotations
    // Of one that was cut off before its key was written, there is nothing to tell.
    .filter(({ fingerprint }) => keys[fingerprint])
    .map(({ fingerprint, by, at }) => ({
      ...siteAct('keys', { actor: by, act: 'created', note: `key ${fingerprint}` }),
      at,
    }))
  if (entries.length > 0) {
    await commit((tx) => {
      for (const entry of entries) {
        const isThere = timeline
          .of(entry.thing, entry.thingId)
          .some(({ act, note }) => act === entry.act && note === entry.note)
        if (isThere) continue
        timeline.record(tx, entry)
        settings.recordKey(tx, createKeys(source))
      }
    })
  }
  const done = new Set(rotations.map(({ fingerprint }) => fingerprint))
  changeKeyRecord(dataDir, ({ rotations: present = [], ...record }) => {
    const left = present.filter(({ fingerprint }) => !done.has(fingerprint))
    return left.length > 0 ? { ...record, rotations: left } : record
  })
}

/** The record with every present key in it and the one that signs. */
export function notePresent(source: KeySource, record: KeyRecord, now: number): KeyRecord {
  const keys = { ...record.keys }
  const present = presentKeys(source, record)
  for (const { fingerprint, state } of present) {
    const known = keys[fingerprint] ?? { since: now, replacedAt: null, revokedAt: null }
    const replacedAt = state === 'current' ? null : (known.replacedAt ?? now)
    keys[fingerprint] = { ...known, replacedAt }
  }
  return { ...record, signing: present[0]?.fingerprint, keys }
}
