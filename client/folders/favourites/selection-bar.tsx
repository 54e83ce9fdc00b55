import { bytesText } from '#shared/text/bytes.ts'
import type { OpenFolder } from '#shared/folders/folders.ts'
import button from '../../ui/button.module.css'
import { DownloadIcon } from '../folder-head.tsx'
import type { Selection } from './use-selection.ts'
import { counted } from '../format.ts'
import styles from './selection-bar.module.css'

/** What is chosen, over all pages, and the way to get it. */
export function SelectionBar({
  selection,
  folder: { hasPictures, may },
}: {
  selection: Selection
  folder: Pick<OpenFolder, 'hasPictures' | 'may'>
}) {
  const { ids, bytes, clear } = selection
  return (
    <div className={styles.place}>
      {ids.length > 0 && (
        <div className={`night ${styles.bar}`}>
          <p role="status">
            <strong>{counted(ids.length, 'file')}</strong> selected {/* Of the originals. */}
            {may.originals && <span>{bytesText(bytes)}</span>}
          </p>
          <button type="button" className={styles.clear} onClick={clear}>
            Clear
          </button>
          {hasPictures && may.originals && (
            <button type="submit" name="size" value="web" className={styles.web}>
              Web size
            </button>
          )}
          <button type="submit" className={`${button.button} ${button.small}`}>
            <span>
              Download<span className={styles.wide}> selection</span>
            </span>
            <DownloadIcon />
          </button>
        </div>
      )}
    </div>
  )
}
