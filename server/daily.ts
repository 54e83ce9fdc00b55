import { helsinki } from '#shared/working-days.ts'

/** The hour in Helsinki from which the chores of a day are done. */
const hour = '08'

/**
 * Makes a chore of the day: its work is done once a day, from the morning on, however often the
 * chore is called, and again when it failed. Each process keeps count for itself; what several must not do twice needs a
 * key of its own.
 * @param clock milliseconds of the epoch
 * @param work gets the date in Helsinki as YYYY-MM-DD
 */
export function daily(clock: () => number, work: (date: string) => unknown): () => Promise<void> {
  let doneFor = ''
  return async () => {
    const { date, time } = helsinki(clock())
    if (date === doneFor || time < hour) return
    await work(date)
    doneFor = date
  }
}
