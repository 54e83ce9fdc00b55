import { useCallback, useState, type MouseEvent } from 'react'
import type { FolderFile, OpenFolder } from '#shared/folders/folders.ts'
import { paths } from '#shared/paths.ts'
import { shortened } from '#shared/text/text.ts'
import { Icon } from '../../ui/icons.tsx'
import type { Favourites } from '../favourites/use-favourites.ts'
import { mayChoose, type Selection } from '../favourites/use-selection.ts'
import { ratioDigits } from './ratio.ts'
import { endingOf } from '../format.ts'
import checkbox from '../../forms/checkbox.module.css'
import styles from './tile.module.css'

/** What a file on the page needs. */
export type FileProps = {
  folder: OpenFolder
  file: FolderFile
  favourites: Favourites
  selection: Selection
  onOpen: (file: FolderFile) => void
}

/** A heart, filled while it is on. */
export const HeartIcon = ({ on }: { on: boolean }) => (
  <svg
    aria-hidden="true"
    width="20"
    height="20"
    viewBox="0 0 24 24"
    fill={on ? 'currentColor' : 'none'}
    stroke="currentColor"
    strokeWidth="1.75"
    className={on ? styles.on : undefined}
  >
    <path d="M12 20.5 3.9 12.6a5 5 0 1 1 7.1-7.1l1 1 1-1a5 5 0 1 1 7.1 7.1L12 20.5Z" />
  </svg>
)

/** Whether the gallery begins with a cover, which then comes ahead of its small pictures. */
type BelowCover = { isBelowCover: boolean }

/** A picture or film in its row. */
export function Tile({
  folder,
  file,
  isBelowCover,
  favourites,
  selection,
  onOpen,
}: FileProps & BelowCover) {
  const { id, name, broken } = file
  return (
    <li
      id={`file-${id}`}
      className={styles.tile}
      {...ratioDigits(file)}
      data-chosen={selection.has(id) ? '' : undefined}
    >
      {broken ? (
        <p className={styles.blank}>
          <span>{endingOf(name)}</span>
          <strong>{name}</strong>
          This file can’t be read.
        </p>
      ) : (
        <Preview folder={folder} file={file} isBelowCover={isBelowCover} onOpen={onOpen} />
      )}
      {!broken && !file.held && mayChoose(folder) && (
        <ChooseBox file={file} selection={selection} className={styles.choose} />
      )}
      <HeartButton folder={folder} file={file} favourites={favourites} className={styles.heart} />
      {favourites.commentOf(id) && <span className={styles.comment}>Commented</span>}
      {file.isNew && <span className={styles.fresh}>New</span>}
    </li>
  )
}

/** Characters of a caption that stand for its picture. */
const maxAltLength = 150

/** Characters at the end of a long name that are always shown: pictures of a series differ only there. */
const lastShown = 12

/** The small picture of a file, or its name where there is none; it opens the file. */
function Preview({
  folder,
  file,
  isBelowCover,
  onOpen,
}: Pick<FileProps, 'folder' | 'file' | 'onOpen'> & BelowCover) {
  const { id, name, kind, version, width, height, caption } = file
  const [failed, setFailed] = useState(false)
  // The picture may have failed before the page had its code.
  const look = useCallback((image: HTMLImageElement | null) => {
    if (image?.complete && image.naturalWidth === 0 && image.currentSrc) setFailed(true)
  }, [])
  // Whoever may only look at the folder sees the poster of a film.
  const href =
    kind === 'video' && (folder.may.web || !file.pixels)
      ? paths.folderView(folder.id, id, version)
      : kind === 'image' && !file.pixels && file.allowed && !file.held
        ? paths.folderFile(folder.id, id)
        : paths.folderWeb(folder.id, id, version)
  const open = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    onOpen(file)
  }
  const pictured = file.pixels && !failed
  const signs = Array.from(name)
  return (
    <a href={href} onClick={open} className={styles.open}>
      {pictured ? (
        <img
          ref={look}
          src={paths.folderThumb(folder.id, id, version)}
          width={width ?? 3}
          height={height ?? 2}
          alt={caption === null ? name : shortened(caption, maxAltLength)}
          loading="lazy"
          fetchPriority={isBelowCover ? 'low' : undefined}
          decoding="async"
          onError={() => setFailed(true)}
        />
      ) : (
        <span className={styles.blank}>
          {kind === 'image' && <span>{endingOf(name)}</span>}
          <strong>{name}</strong>
        </span>
      )}
      {kind === 'video' && (
        <span className={styles.play}>
          <Icon size={28}>
            <path d="M8 5.5v13l11-6.5-11-6.5Z" fill="currentColor" />
          </Icon>
          <span className="unseen">Film</span>
        </span>
      )}
      {pictured && (
        <span className={styles.name} aria-hidden="true">
          <span className={styles.file}>
            <span>{signs.slice(0, -lastShown).join('')}</span>
            <span>{signs.slice(-lastShown).join('')}</span>
          </span>
          {caption && <span>{caption}</span>}
        </span>
      )}
    </a>
  )
}

/** Chooses a file for a download; a plain checkbox of the form before the page has its code. */
export function ChooseBox({
  file: { id, name, size },
  selection,
  className,
}: Pick<FileProps, 'file' | 'selection'> & { className: string | undefined }) {
  return (
    <label className={className}>
      <input
        type="checkbox"
        className={checkbox.box}
        name="file"
        value={id}
        data-size={size}
        aria-label={`Select ${name}`}
        {...(selection.ready
          ? {
              checked: selection.has(id),
              onChange: ({ target }) => selection.set([{ id, size }], target.checked),
            }
          : { defaultChecked: false })}
      />
    </label>
  )
}

/** Marks a file as a favourite; a plain button of the form before the page has its code. */
export function HeartButton({
  folder,
  file: { id, name },
  favourites,
  className,
}: Pick<FileProps, 'folder' | 'file' | 'favourites'> & { className: string | undefined }) {
  const on = favourites.isFavourite(id)
  if (!favourites.open) {
    return on ? (
      <span className={className} data-on="">
        <HeartIcon on />
        <span className="unseen">Favourite</span>
      </span>
    ) : null
  }
  return (
    <button
      type="submit"
      name="heart"
      // What it is to be: a second press, or a page that is behind, mustn't turn it round.
      value={`${id}-${on ? 'off' : 'on'}`}
      formAction={paths.folderPicks(folder.id)}
      formNoValidate
      aria-pressed={on}
      aria-label={`Favourite ${name}`}
      className={className}
      data-on={on ? '' : undefined}
      onClick={(event) => {
        event.preventDefault()
        void favourites.heart(id, !on)
      }}
    >
      <HeartIcon on={on} />
    </button>
  )
}
