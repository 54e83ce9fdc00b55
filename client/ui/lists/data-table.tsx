import type { ReactNode } from 'react'
import styles from './data-table.module.css'

type Props = {
  /** Names the table to those who do not see what is around it. */
  label: string
  /** Numbers are set flush right. */
  columns: readonly (string | { title: string; numeric: true })[]
  /** Each with its own key and one cell for every column; the first one names the row. */
  rows: readonly { key: string; cells: readonly ReactNode[] }[]
  /** Sums below the last column. */
  sums?: readonly { label: string; value: ReactNode }[]
}

/** A table; on a phone each of its rows becomes a short list. */
export function DataTable({ label, columns, rows, sums = [] }: Props) {
  const heads = columns.map((column) =>
    typeof column === 'string' ? { title: column, numeric: undefined } : column,
  )
  return (
    <div className={styles.frame}>
      <table aria-label={label} className={styles.table}>
        <thead>
          <tr>
            {heads.map(({ title, numeric }) => (
              <th key={title} scope="col" data-numeric={numeric}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells: [name, ...cells] }) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              {cells.map((cell, index) => {
                const { title, numeric } = heads[index + 1]!
                return (
                  <td key={title} data-label={title} data-numeric={numeric}>
                    {/* One box beside the label, whatever it holds. */}
                    <div>{cell}</div>
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
        {sums.length > 0 && (
          <tfoot>
            {sums.map((sum) => (
              <tr key={sum.label}>
                <th scope="row" colSpan={columns.length - 1}>
                  {sum.label}
                </th>
                <td data-numeric>{sum.value}</td>
              </tr>
            ))}
          </tfoot>
        )}
      </table>
    </div>
  )
}
