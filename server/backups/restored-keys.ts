import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  fingerprintOf,
  keyLines,
  readKeyRecord,
  readOldSecrets,
  readSecret,
  writeKeyRecord,
  type KeyRecord,
} from '../secrets/key-files.ts'
import { countingFingerprints, type KeySource } from '../secrets/secret-key.ts'
import { keyIn, plainKey, type Manifest } from './manifest.ts'
import { openKeys } from './sealed-keys.ts'

/** Which keys staff want; those in DATA_DIR where nothing is said. */
export type KeyChoice = {
  /** Those of the backup. */
  fromBackup?: boolean
  /** Those in a file, one a line, the current one first. */
  file?: string
}

/** What becomes of keys. */
export type KeyOutcome = {
  /** `kept`: those of this state stay; `set`: others take over; `missing`: there is none. */
  state: 'kept' | 'set' | 'missing'
  /** How the backup has them. */
  inBackup: ReturnType<typeof keyIn>
  /** Whether the key that signed when the backup was made counts afterwards; null when not known. */
  counts: boolean | null
}

/**
 * Decides which keys count after a restore.
 * @returns `secrets` to write, the current one first; null when the files stay as they are
 * @throws when keys that staff ask for cannot be had, or were revoked
 */
export async function chooseKeys(
  config: KeySource & { backups: { passphrase: string | null } },
  { backup, manifest, choice }: { backup: string; manifest: Manifest; choice: KeyChoice },
): Promise<{ secrets: string[] | null; outcome: KeyOutcome }> {
  const { dataDir } = config
  const kept = readSecret(dataDir)
  const inBackup = keyIn(manifest)
  const wanted = choice.file !== undefined || choice.fromBackup === true
  let given: string[] = []
  if (choice.file !== undefined) {
    given = keyLines(await readFile(choice.file, 'utf8'))
    if (given.length === 0) throw new Error(`No key in ${choice.file}.`)
  } else if (choice.fromBackup || (kept === null && config.secretKey === null)) {
    given = await keysOf(backup, inBackup, config.backups.passphrase)
    if (choice.fromBackup && given.length === 0) {
      throw new Error(
        inBackup === 'no'
          ? 'This backup has no key; pass it with --key-file.'
          : 'The key in this backup is encrypted; set BACKUP_PASSPHRASE.',
      )
    }
  }
  const revoked = given[0] && readKeyRecord(dataDir).keys[fingerprintOf(given[0])]?.revokedAt
  if (wanted && revoked) throw new Error('This key was revoked here and can’t be restored.')

  const present = kept === null ? [] : [kept, ...readOldSecrets(dataDir)]
  const secrets = given.length === 0 ? null : [...new Set([...given, ...present])]
  const hasKey = secrets !== null || kept !== null || config.secretKey !== null
  const counting = new Set([...countingFingerprints(config), ...(secrets ?? []).map(fingerprintOf)])
  const signed = manifest.keys?.[0]
  return {
    secrets,
    outcome: {
      state: secrets ? 'set' : hasKey ? 'kept' : 'missing',
      inBackup,
      counts: signed === undefined ? null : counting.has(signed),
    },
  }
}

async function keysOf(
  backup: string,
  inBackup: ReturnType<typeof keyIn>,
  passphrase: string | null,
): Promise<string[]> {
  if (inBackup === 'plain') return keyLines(await readFile(join(backup, plainKey), 'utf8'))
  if (inBackup === 'no' || passphrase === null) return []
  return openKeys(backup, passphrase)
}

/**
 * Puts what is known of keys here and in a prepared state together, so a restore brings nothing
 * back that was revoked since.
 */
export function mergeKeyRecords(dataDir: string, prepared: string): void {
  const [here, there] = [readKeyRecord(dataDir), readKeyRecord(prepared)]
  // Which key signs is noted at the next start.
  const merged: KeyRecord = {
    keys: { ...there.keys, ...here.keys },
    kinds: { ...there.kinds },
  }
  for (const [name, revocation] of Object.entries(here.kinds)) {
    const other = there.kinds[name]
    if (!other || other.at <= revocation.at) merged.kinds[name] = revocation
  }
  writeKeyRecord(prepared, merged)
}
