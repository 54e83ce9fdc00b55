import { bytesText } from '#shared/text/bytes.ts'
import { paths } from '#shared/paths.ts'
import { DownloadIcon } from '../folder-head.tsx'
import { ChooseBox, HeartButton, type FileProps } from './tile.tsx'
import { mayChoose } from '../favourites/use-selection.ts'
import { endingOf } from '../format.ts'
import styles from './document-row.module.css'
import { DownloadLink } from '../../ui/download-link.tsx'
import { withheldTexts } from '#shared/folders/withheld.ts'

/** A document or a sound in its own line. */
export function DocumentRow({ folder, file, favourites, selection, onOpen }: FileProps) {
  const { id, name, size, kind, broken, held, allowed } = file
  const open = !broken && !held && allowed
  return (
    <li id={`file-${id}`} className={styles.row} data-chosen={selection.has(id) ? '' : undefined}>
      {broken || held || !mayChoose(folder) ? (
        <span className={styles.choose} />
      ) : (
        <ChooseBox file={file} selection={selection} className={styles.choose} />
      )}
      <span className={styles.ending} aria-hidden="true">
        {endingOf(name)}
      </span>
      <span className={styles.name}>
        {open ? (
          <DownloadLink href={paths.folderFile(folder.id, id)}>{name}</DownloadLink>
        ) : (
          <>
            <span>{name}</span>
            {broken && <span className={styles.broken}>This file can’t be read.</span>}
            {held && !broken && (
              <span className={styles.held}>
                <WithheldReason />
              </span>
            )}
          </>
        )}
      </span>
      <span className={styles.size}>{bytesText(size)}</span>
      {kind === 'audio' && open ? (
        <button type="button" className={styles.listen} onClick={() => onOpen(file)}>
          Listen
        </button>
      ) : null}
      <HeartButton folder={folder} file={file} favourites={favourites} className={styles.heart} />
      {open && (
        <DownloadLink
          href={paths.folderFile(folder.id, id)}
          className={styles.get}
          aria-label={`Download ${name}`}
        >
          <DownloadIcon />
        </DownloadLink>
      )}
    </li>
  )
}

/** Why a camera's own file is not given away, in the place of its download. */
export const WithheldReason = () => (
  <>
    {withheldTexts.one}{' '}
    <a href={paths.contact()} data-contact="A RAW file of a gallery">
      Ask us for it
    </a>
    .
  </>
)
