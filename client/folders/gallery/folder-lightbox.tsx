import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { bytesText } from '#shared/text/bytes.ts'
import { folderLimits } from '#shared/folders/folder-numbers.ts'
import {
  filesPerPage,
  getFolderNews,
  type FolderFile,
  type OpenFolder,
} from '#shared/folders/folders.ts'
import { paths } from '#shared/paths.ts'
import { ApiError, api } from '../../api.ts'
import { Lightbox, ZoomablePicture } from '../../ui/pictures/lightbox.tsx'
import { DownloadIcon } from '../folder-head.tsx'
import { WithheldReason } from './document-row.tsx'
import { HeartButton } from './tile.tsx'
import type { Favourites } from '../favourites/use-favourites.ts'
import { mayChoose, type Selection } from '../favourites/use-selection.ts'
import { endingOf } from '../format.ts'
import { DownloadLink } from '../../ui/download-link.tsx'
import styles from './folder-lightbox.module.css'

/** What the lightbox of a folder needs. */
export type FolderLightboxProps = {
  folder: OpenFolder
  /** What can be looked at on this page, in order. */
  files: readonly FolderFile[]
  /** The id of the one that is shown. */
  shown: number
  favourites: Favourites
  selection: Selection
  /** Shows another one, or null to close. */
  onShow: (file: number | null) => void
  /** Shows the first file of the next page, or the last one of the page before. */
  onTurn: (page: number) => void
}

/** The files of a page, one at a time and as large as the screen. */
export function FolderLightbox(props: FolderLightboxProps) {
  const { folder, files, shown, favourites, selection, onShow, onTurn } = props
  const index = files.findIndex(({ id }) => id === shown)
  const file = files[index]
  if (!file) return null
  const { id, name, size, kind, held, allowed, caption } = file
  const near = [files[index + 1], files[index - 1]].filter(
    (one) => one?.kind === 'image' && one.pixels,
  )
  const chosen = selection.has(id)
  return (
    <Lightbox
      label={`Files of ${folder.title}`}
      title={name}
      index={index}
      count={files.length}
      onMove={(to) => onShow(files[to]!.id)}
      onClose={() => onShow(null)}
      {...(folder.pages > 1 && { more: morePages(folder, shown, onTurn) })}
      ahead={near.map((one) => paths.folderWeb(folder.id, one!.id, one!.version))}
      strip={files.map((each) => ({
        label: each.name,
        src: each.pixels ? paths.folderThumb(folder.id, each.id, each.version) : null,
      }))}
      tools={
        <HeartButton folder={folder} file={file} favourites={favourites} className={styles.heart} />
      }
      footer={
        <div className={styles.footer}>
          {caption && <p className={styles.caption}>{caption}</p>}
          {held && (
            <p className={styles.held}>
              <WithheldReason />
            </p>
          )}
          <div className={styles.actions}>
            {!held && allowed && (
              <DownloadLink href={paths.folderFile(folder.id, id)}>
                <DownloadIcon /> {kind === 'image' ? 'Original' : 'Download'}{' '}
                <span>{bytesText(size)}</span>
              </DownloadLink>
            )}
            {kind === 'image' && file.pixels && folder.may.web && (
              <DownloadLink href={`${paths.folderWeb(folder.id, id, file.version)}&save`}>
                <DownloadIcon /> Web size <span>2048 px</span>
              </DownloadLink>
            )}
            {mayChoose(folder) && !held && (
              <button
                type="button"
                aria-pressed={chosen}
                onClick={() => selection.set([{ id, size }], !chosen)}
              >
                {chosen ? 'Selected' : 'Select'}
              </button>
            )}
          </div>
          <Comment key={id} file={file} favourites={favourites} />
          <p role="alert" className={styles.error}>
            {favourites.error && errorOf(favourites.error, { id, files })}
          </p>
        </div>
      }
    >
      <Shown key={id} folder={folder} file={file} />
    </Lightbox>
  )
}

/** Links to the other pages of a gallery, and the place of a file in the whole of it. */
function morePages(
  { files, page, pages, found }: OpenFolder,
  shown: number,
  onTurn: (page: number) => void,
) {
  return {
    onBefore: page > 1 ? () => onTurn(page - 1) : null,
    onAfter: page < pages ? () => onTurn(page + 1) : null,
    index: (page - 1) * filesPerPage + files.findIndex(({ id }) => id === shown),
    count: found,
  }
}

function Shown({ folder, file }: { folder: OpenFolder; file: FolderFile }) {
  const { id, name, kind, version, width, height, pixels, held, caption } = file
  const [failed, setFailed] = useState<Failing>(null)
  const { revalidate } = useRevalidator()
  const view = paths.folderView(folder.id, id, version)
  const look = async () => {
    const why = await whyFailed(folder)
    setFailed(why)
    // The page says that the gallery has closed, or asks for the code or the password.
    if (why === 'closed') void revalidate()
  }
  const fail = () => void look()
  const closed = kind !== 'image' && (!folder.may.web || held)
  // Where downloads are limited, the file is fetched only by who plays it.
  const preload = folder.downloadsLeft === null ? 'metadata' : 'none'
  if (failed === 'network') {
    return (
      <div className={styles.failed}>
        <p>Couldn’t load {name}. Check your connection and try again.</p>
        <button type="button" onClick={() => setFailed(null)}>
          Try again
        </button>
      </div>
    )
  }
  if (failed || (!pixels && (closed || kind === 'image'))) {
    return (
      <p className={styles.failed}>
        <span>{endingOf(name)}</span>
        {whyNot(folder, file)}
      </p>
    )
  }
  if (closed || kind === 'image') {
    return (
      <ZoomablePicture label={name}>
        <img
          className={styles.picture}
          src={paths.folderWeb(folder.id, id, version)}
          width={width ?? undefined}
          height={height ?? undefined}
          alt={caption ?? name}
          onError={fail}
          draggable={false}
        />
      </ZoomablePicture>
    )
  }
  if (kind === 'audio') {
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- what clients get is not ours to caption
    return <audio className={styles.sound} src={view} controls preload={preload} onError={fail} />
  }
  return (
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- what clients get is not ours to caption
    <video
      className={styles.picture}
      src={view}
      controls
      playsInline
      preload={preload}
      aria-label={name}
      width={width ?? 1920}
      height={height ?? 1080}
      poster={pixels ? paths.folderWeb(folder.id, id, version) : undefined}
      onError={fail}
    />
  )
}

/** Why a file that should have come didn't: null while it may still come. */
type Failing = 'network' | 'closed' | 'file' | null

/**
 * Asks whether the gallery is still open. Without a network the page isn't asked for again: an error
 * would take its place, and with it all that is on it.
 */
const whyFailed = ({ id, last }: OpenFolder): Promise<Failing> =>
  api(getFolderNews, { id, after: last }).then(
    () => 'file',
    (error: unknown) => (error instanceof ApiError && error.status < 429 ? 'closed' : 'network'),
  )

/** Why a file is not shown, and what can be done about it. */
function whyNot({ downloadsLeft }: OpenFolder, { kind, held, allowed }: FolderFile): string {
  const what = kind === 'image' ? 'No preview available' : 'This file can’t be played here'
  if (held) return `${what}.`
  if (allowed) {
    if (downloadsLeft === 0) return `${what}, and no downloads are left. Ask us for more.`
    return `${what}, but you can download it.`
  }
  return kind === 'image' ? `${what}.` : 'Your code doesn’t include video or audio.'
}

/** What went wrong last, with the name of its file where another one is shown by now. */
function errorOf(
  { file, message }: NonNullable<Favourites['error']>,
  { id, files }: { id: number; files: readonly FolderFile[] },
): string {
  const other = file === id ? undefined : files.find((each) => each.id === file)
  return other ? `${other.name}: ${message}` : message
}

/** What the visitor says about a file; kept when the field is left, or by its button. */
function Comment({ file: { id, name }, favourites }: { file: FolderFile; favourites: Favourites }) {
  const before = favourites.commentOf(id) ?? ''
  const { drafts } = favourites
  const [text, setText] = useState(drafts.get(id) ?? before)
  const [kept, setKept] = useState(false)
  if (!favourites.open) return before ? <p className={styles.said}>“{before}”</p> : null
  const keep = async () => {
    const isKept = await favourites.comment(id, text)
    if (text.trim() !== before) setKept(isKept)
  }
  return (
    <form
      className={styles.comment}
      onSubmit={(event) => {
        event.preventDefault()
        void keep()
      }}
    >
      <input
        aria-label={`Comment on ${name}`}
        placeholder="Comment on this file"
        value={text}
        maxLength={folderLimits.maxComment}
        onChange={({ target }) => {
          setText(target.value)
          drafts.set(id, target.value)
          setKept(false)
        }}
        onBlur={() => void keep()}
      />
      <button type="submit">{kept && text.trim() === before ? 'Saved' : 'Save'}</button>
    </form>
  )
}
