import { setImmediate as nextTurn } from 'node:timers/promises'

/** What work in the background may take of a turn of the event loop, in milliseconds. */
const turnMs = 5

/** Gives others a turn where the present one has taken its time; else goes on at once. */
export type TakeTurns = () => Promise<void> | undefined

/** Makes a {@link TakeTurns} for one piece of work. */
export function takeTurns(): TakeTurns {
  let began = performance.now()
  const pause = async () => {
    await nextTurn()
    began = performance.now()
  }
  return () => (performance.now() - began < turnMs ? undefined : pause())
}

/**
 * Does something with each of many things, in as many turns of the event loop as it takes, so that
 * requests are served while a list of a hundred thousand is worked on. A short one is done at once.
 */
export async function eachInTurns<Thing>(
  things: Iterable<Thing>,
  work: (thing: Thing) => void,
): Promise<void> {
  const turn = takeTurns()
  for (const thing of things) {
    work(thing)
    const wait = turn()
    if (wait) await wait
  }
}
