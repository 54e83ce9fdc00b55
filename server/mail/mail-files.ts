import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Where mails become files without SMTP. */
export const mailDirectory = (dataDir: string) => join(dataDir, 'mail')

/** A name begins with the time at which its mail was queued, with dashes for the colons. */
const mailFileName = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)-[\w-]+\.eml(?:\.part)?$/

/**
 * Removes the files of mails that the outbox no longer knows.
 * @param before only those that were queued before a moment (milliseconds of the epoch): a younger
 *   one may belong to a mail that is being written down
 * @param keep names of files that stay
 */
export async function forgetMailFiles(
  dataDir: string,
  { before, keep }: { before: number; keep: ReadonlySet<string> },
): Promise<void> {
  const directory = mailDirectory(dataDir)
  for (const name of await readdir(directory).catch(() => [])) {
    const [, hour, minute, second] = mailFileName.exec(name) ?? []
    if (keep.has(name) || !hour) continue
    if (Date.parse(`${hour}:${minute}:${second}Z`) < before) {
      await rm(join(directory, name), { force: true })
    }
  }
}
