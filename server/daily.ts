import { helsinki } from '#shared/working-days.ts'

/** The hour in Helsinki from which the chores of a day are done. */
const hour = '08'

/**
 * Makes a chore of the day: its work is done once a day, from the morning on, however often the
 * chore is called. Each process keeps count for itself; what several must not do twice needs a
 * key of its own.
 * @param clock milliseconds of the epoch
 * @param work gets the date in Helsinki as YYYY-MM-DD; a day on which it throws is not tried again
 */
export function daily(clock: () => number, work: (date: string) => void): () => void {
  let doneFor = ''
  return () => {
    const { date, time } = helsinki(clock())
    if (date === doneFor || time < hour) return
    doneFor = date
    work(date)
  }
}
