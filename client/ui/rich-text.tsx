import type { ReactNode } from 'react'
import styles from './rich-text.module.css'

/**
 * Rich content, typeset for reading. The server has made the HTML safe (spec section 5); a wide
 * table gets a frame of its own that scrolls, by keyboard too.
 */
export function RichText({ html }: { html: string }) {
  const framed = html
    .replaceAll('<table', '<div data-frame tabindex="0" role="group" aria-label="Table"><table')
    .replaceAll('</table>', '</table></div>')
  return <div className={styles.text} dangerouslySetInnerHTML={{ __html: framed }} />
}

/** The same setting for text of our own. */
export const Typeset = ({ children }: { children: ReactNode }) => (
  <div className={styles.text}>{children}</div>
)

/** A table for {@link Typeset}, in a frame that scrolls where it is narrow. */
export function Table({
  label,
  head,
  rows,
}: {
  label: string
  head: readonly string[]
  rows: readonly (readonly [key: string, ...rest: ReactNode[]])[]
}) {
  return (
    // A scrolling region has to be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div data-frame="" tabIndex={0} role="group" aria-label={label}>
      <table>
        <thead>
          <tr>
            {head.map((each) => (
              <th key={each} scope="col">
                {each}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([key, ...rest]) => (
            <tr key={key}>
              <th scope="row">{key}</th>
              {rest.map((cell, index) => (
                <td key={head[index + 1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
