import { chmodSync, mkdirSync, statSync, type Stats } from 'node:fs'
import { chmod, lstat, readdir } from 'node:fs/promises'
import { join, parse } from 'node:path'

/** What others may do with a file, as mode bits. */
const othersBits = 0o077
const stickyBit = 0o1000

/**
 * Makes sure that the state is for its owner alone: messages, addresses and keys are in it. New
 * files are 0600 and new directories 0700 from here on, in this whole process; a state directory
 * that others can look into is closed at once.
 */
export function keepPrivate(dataDir: string): void {
  process.umask(othersBits)
  try {
    mkdirSync(dataDir, { recursive: true })
    const stats = statSync(dataDir)
    if ((stats.mode & othersBits) !== 0 && isOurs(stats) && !isShared(dataDir, stats)) {
      chmodSync(dataDir, closed(stats))
    }
  } catch {
    // Opening the database says what is wrong with the directory.
  }
}

/**
 * Closes what an earlier version, or a copy by hand, has left open to others.
 * @returns how many files and directories it was
 */
export async function closeExisting(dataDir: string): Promise<number> {
  let count = 0
  const walk = async (directory: string): Promise<void> => {
    for (const name of await readdir(directory)) {
      const path = join(directory, name)
      // Files come and go while this looks at them.
      const stats = await lstat(path).catch(() => null)
      // A link may lead out of the state.
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
