import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runInThread } from '../concurrency/worker-thread.ts'
import { keyLines, readOldSecrets, readSecret, sealedName } from '../secrets/key-files.ts'
import type { Sealing } from './seal-worker.ts'

const inThread = <Result>(work: Sealing) =>
  runInThread<Result>(join(import.meta.dirname, 'seal-worker.ts'), work)

/**
 * Writes the keys that are kept in DATA_DIR into a backup, encrypted as age does it with a passphrase,
 * so `age -d secret-key.age` reads them, too.
 * @returns the path below the backup; null when no key is kept in DATA_DIR
 */
export async function sealKeys(
  dataDir: string,
  { backup, passphrase }: { backup: string; passphrase: string },
): Promise<string | null> {
  const current = readSecret(dataDir)
  if (current === null) return null
  const text = [current, ...readOldSecrets(dataDir)].map((secret) => `${secret}\n`).join('')
  const sealed = await inThread<Uint8Array>({ task: 'seal', passphrase, text })
  await writeFile(join(backup, sealedName), sealed, { mode: 0o600, flag: 'wx', flush: true })
  return sealedName
}

/**
 * The keys in a backup, the current one first.
 * @throws when the passphrase is not that of the backup
 */
export async function openKeys(backup: string, passphrase: string): Promise<string[]> {
  const sealed = await readFile(join(backup, sealedName))
  const text = await inThread<string | null>({ task: 'open', passphrase, sealed })
  if (text === null) {
    throw new Error(
      `BACKUP_PASSPHRASE doesn’t unlock the ${sealedName} of this backup. Use the passphrase it was made with. If that’s lost, restore with BACKUP_PASSPHRASE empty, without the key.`,
    )
  }
  return keyLines(text)
}
