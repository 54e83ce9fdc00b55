/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role --
   the roles outlast a change of `display`, which takes the table away in some browsers */
import type { ReactNode } from 'react'
import styles from './data-table.module.css'

type Props = {
  /** Names the table to those who do not see what stands around it. */
  label: string
  columns: readonly string[]
  /** Each with a key of its own and one cell for every column; the first one names the row. */
  rows: readonly { key: string; cells: readonly ReactNode[] }[]
}

/** A table; on a phone each of its rows becomes a short list. */
export function DataTable({ label, columns, rows }: Props) {
  return (
    <div className={styles.frame}>
      <table role="table" aria-label={label} className={styles.table}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th key={column} scope="col" role="columnheader">
                {column}
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
              {cells.map((cell, index) => (
                <td key={columns[index + 1]} role="cell" data-label={columns[index + 1]}>
                  {/* One box beside the label, whatever it holds. */}
                  <div>{cell}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
