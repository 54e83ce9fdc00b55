import { rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** Writes a file that appears only when it is whole, for its owner alone. */
export async function writeWhole(file: string, content: string | Buffer): Promise<void> {
  const part = join(dirname(file), `.${basename(file)}.${process.pid}.part`)
  try {
    await writeFile(part, content, { mode: 0o600, flush: true })
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}
