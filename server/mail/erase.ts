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
  const files = found.flatMap((mail) => {
    const file = join(mailDirectory(dataDir), `${fileName(mail)}.eml`)
    // A server that was killed may have left half of one.
    return [file, `${file}.part`]
  })
  return {
    erased: mails.remove(
      tx,
      found.map(({ id }) => id),
    ),
    async afterwards() {
      for (const file of files) await rm(file, { force: true })
    },
  }
}
