import { Day } from './day.tsx'

/** The last day of what ends at an instant: what ends at midnight is still there the day before. */
export const LastDay = ({ end }: { end: string }) => (
  <Day iso={new Date(Date.parse(end) - 1).toISOString()} />
)
