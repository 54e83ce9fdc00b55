import type { FolderFile, OpenFolder } from '#shared/folders/folders.ts'
import { DocumentRow } from './document-row.tsx'
import { Tile } from './tile.tsx'
import type { Favourites } from '../favourites/use-favourites.ts'
import type { Selection } from '../favourites/use-selection.ts'
import styles from './gallery.module.css'

type Props = {
  folder: OpenFolder
  isBelowCover: boolean
  favourites: Favourites
  selection: Selection
  onOpen: (file: FolderFile) => void
}

/** The files of a page by sections: what can be looked at in rows, then documents in lines. */
export function Gallery({ folder, isBelowCover, ...rest }: Props) {
  const { files, sections, filter } = folder
  const used = [...new Set(files.map(({ section }) => section))]
  return used.map((index) => {
    const inside = files.filter(({ section }) => section === index)
    const seen = inside.filter(({ kind }) => kind === 'image' || kind === 'video')
    const listed = inside.filter(({ kind }) => kind === 'document' || kind === 'audio')
    const name = sections[index]?.name ?? ''
    const titled = sections.length > 1 || name !== ''
    return (
      <section
        key={index}
        id={filter === 'all' ? `section-${index}` : undefined}
        aria-label={titled ? name || 'Main' : 'Files'}
        className={`wrap ${styles.section}`}
      >
        {titled && name && <h2 className={styles.name}>{name.replaceAll('/', ' / ')}</h2>}
        {seen.length > 0 && (
          <ul className={styles.rows}>
            {seen.map((file) => (
              <Tile
                key={file.id}
                folder={folder}
                file={file}
                isBelowCover={isBelowCover}
                {...rest}
              />
            ))}
          </ul>
        )}
        {listed.length > 0 && (
          <ul className={styles.lines}>
            {listed.map((file) => (
              <DocumentRow key={file.id} folder={folder} file={file} {...rest} />
            ))}
          </ul>
        )}
      </section>
    )
  })
}
