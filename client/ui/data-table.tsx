/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role --
   the roles outlast a change of `display`, which takes the table away in some browsers */
import type { ReactNode } from 'react'
import styles from './data-table.module.css'

type Props = {
  /** Names the table to those who do not see what stands around it. */
  label: string
  /** Numbers are set flush right. */
  columns: readonly (string | { title: string; numeric: true })[]
  /** Each with a key of its own and one cell for every column; the first one names the row. */
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
      <table role="table" aria-label={label} className={styles.table}>
        <thead role="rowgroup">
          <tr role="row">
            {heads.map(({ title, numeric }) => (
              <th key={title} scope="col" role="columnheader" data-numeric={numeric}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map(({ key, cells: [name, ...cells] }) => (
            <tr key={key} role="row">
              <th scope="row" role="rowheader">
                {name}
              </th>
              {cells.map((cell, index) => {
                const { title, numeric } = heads[index + 1]!
                return (
                  <td key={title} role="cell" data-label={title} data-numeric={numeric}>
                    {/* One box beside the label, whatever it holds. */}
                    <div>{cell}</div>
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
        {sums.length > 0 && (
          <tfoot role="rowgroup">
            {sums.map((sum) => (
              <tr key={sum.label} role="row">
                <th scope="row" role="rowheader" colSpan={columns.length - 1}>
                  {sum.label}
                </th>
                <td role="cell" data-numeric>
                  {sum.value}
                </td>
              </tr>
            ))}
          </tfoot>
        )}
      </table>
    </div>
  )
}
