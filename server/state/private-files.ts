import { chmodSync, statSync, type Stats } from 'node:fs'
import { chmod, lstat, readdir } from 'node:fs/promises'
import { join, parse } from 'node:path'
import { makeStateDirectory } from './state-directory.ts'

/** What others may do with a file, as mode bits. */
const othersBits = 0o077
const stickyBit = 0o1000

/**
 * Makes the state private: it holds messages, addresses and keys. From here on, this process creates
 * files as 0600 and directories as 0700; a state directory open to others is closed at once.
 */
export function keepPrivate(dataDir: string): void {
  process.umask(othersBits)
  try {
    makeStateDirectory(dataDir)
    const stats = statSync(dataDir)
    if ((stats.mode & othersBits) !== 0 && isOurs(stats) && !isShared(dataDir, stats)) {
      chmodSync(dataDir, closed(stats))
    }
  } catch {
    // Opening the database reports what's wrong with the directory.
  }
}

/**
 * Closes files and directories that an earlier version or a manual copy left open to others.
 * @returns how many
 */
export async function closeExisting(dataDir: string): Promise<number> {
  let count = 0
  const walk = async (directory: string): Promise<void> => {
    for (const name of await readdir(directory)) {
      const path = join(directory, name)
      // Files come and go meanwhile.
      const stats = await lstat(path).catch(() => null)
      // A link may point outside of the state.
      if (!stats || stats.isSymbolicLink()) continue
      if (isOurs(stats) && (stats.mode & othersBits) !== 0) {
        await chmod(path, closed(stats)).then(
          () => (count += 1),
          () => {},
        )
      }
      if (stats.isDirectory()) await walk(path).catch(() => {})
    }
  }
  await walk(dataDir)
  return count
}

const closed = ({ mode }: Stats) => mode & ~othersBits & 0o7777

const isOurs = ({ uid }: Stats) => process.getuid === undefined || process.getuid() === uid

/** Whether a directory is shared by all users, such as /tmp. */
const isShared = (path: string, { mode }: Stats) =>
  parse(path).root === path || (mode & stickyBit) !== 0
