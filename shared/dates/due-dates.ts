import { addDays, addWorkingDays, isWorkingDay, type CivilDate } from './civil-dates.ts'

/**
 * The last day on which a debt is paid in time: its due date or, where that is a Saturday, a holiday or the
 * eve of one, the working day after it (Promissory Notes Act 622/1947, 5 § 2 mom.).
 */
export const payableUntil = (dueOn: CivilDate): CivilDate =>
  isWorkingDay(dueOn) ? dueOn : addWorkingDays(dueOn, 1)

/** The latest due date whose {@link payableUntil} is before a day: the working day before it. */
export function lastDueBefore(day: CivilDate): CivilDate {
  let found = addDays(day, -1)
  while (!isWorkingDay(found)) found = addDays(found, -1)
  return found
}
