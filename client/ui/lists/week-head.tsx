import { weekdays } from '#shared/dates/months.ts'

/** The head of a table with a column for each day of the week. */
export const WeekHead = () => (
  <thead>
    <tr>
      {weekdays.map(([short, long]) => (
        <th key={short} scope="col" abbr={long}>
          {short}
        </th>
      ))}
    </tr>
  </thead>
)
