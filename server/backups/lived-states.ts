import { databaseFile } from '../db/open.ts'
import { databaseName, fileIn, hasSite } from './manifest.ts'
import { besideState, listDirectory } from './store.ts'

/** A state that was in place for a while. */
export type LivedState = {
  /** The file of its database. */
  readonly file: string
  /** Milliseconds of the epoch from which on it was in place, or from which on it is asked. */
  readonly from: number
}

/**
 * The states that were in place since a moment, the present one first. A restore that follows another one,
 * such as after a wrong backup, finds a state that knows nothing of what the one before it did.
 * @param since milliseconds of the epoch
 * @param now likewise: a state that was set aside after it was dated by a wrong clock
 */
export async function statesSince(
  dataDir: string,
  { since, now }: { since: number; now: number },
): Promise<readonly LivedState[]> {
  const states: LivedState[] = []
  let file = databaseFile(dataDir)
  for (const { path, manifest } of await listDirectory(besideState(dataDir))) {
    if (manifest?.kind !== 'before-restore' || !hasSite(manifest)) continue
    if (manifest.madeAt <= since || manifest.madeAt > now) continue
    states.push({ file, from: manifest.madeAt })
    file = fileIn(path, databaseName)
  }
  return [...states, { file, from: since }]
}
