import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Transaction } from '../db/group-commit.ts'
import type { Erasure } from '../contributions/personal-data.ts'
import { fileName } from './compose.ts'
import { mailDirectory } from './transport.ts'
import type { Mail } from './schema.ts'
import type { MailStore } from './store.ts'

/**
 * Erases emails with the files that they became; with those that wait. Call inside a transaction.
 * @param found of every status; those that wait are not sent any more
 */
export function eraseMails(
  tx: Transaction,
  found: readonly Mail[],
  { mails, dataDir }: { mails: Pick<MailStore, 'remove'>; dataDir: string },
): Required<Omit<Erasure, 'kept' | 'named'>> {
  return {
    erased: mails.remove(
      tx,
      found.map(({ id }) => id),
    ),
    afterwards: () => removeMailFiles(found, dataDir),
  }
}

/** Removes the files that emails became, where they become files. */
export async function removeMailFiles(found: readonly Mail[], dataDir: string): Promise<void> {
  for (const mail of found) {
    const file = join(mailDirectory(dataDir), `${fileName(mail)}.eml`)
    await rm(file, { force: true })
    // A server that was killed may have left half of one.
    await rm(`${file}.part`, { force: true })
  }
}
