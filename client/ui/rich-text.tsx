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
