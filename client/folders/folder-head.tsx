import { bytesText } from '#shared/text/bytes.ts'
import type { FolderFile, OpenFolder } from '#shared/folders/folders.ts'
import { paths } from '#shared/paths.ts'
import { Alert } from '../ui/alert.tsx'
import { LastDay } from '../ui/text/last-day.tsx'
import { Facts } from '../ui/lists/facts.tsx'
import { Icon } from '../ui/icons.tsx'
import button from '../ui/button.module.css'
import { resultPlace } from '../forms/result.ts'
import { counted } from './format.ts'
import styles from './folder-head.module.css'
import { DownloadLink } from '../ui/download-link.tsx'

/** Downwards onto a line. */
export const DownloadIcon = () => (
  <Icon size={20}>
    <path d="M12 3v12m-5-5 5 5 5-5M4 20h16" />
  </Icon>
)

/**
 * What the folder is, how much is in it, until when it is open, and all of it at once.
 * @param props `cover` is what {@link coverOf} found
 */
export function FolderHead({ folder, cover }: { folder: OpenFolder; cover: FolderFile | null }) {
  const { id, title, client, season, count, bytes, held, expiresAt, downloadsLeft } = folder
  const { may, hasPictures, isProof } = folder
  const given = bytes - held.bytes
  return (
    <header
      data-hero={cover ? '' : undefined}
      className={cover ? `night ${styles.covered}` : undefined}
    >
      {cover && (
        <img
          className={styles.cover}
          src={paths.folderWeb(id, cover.id, cover.version)}
          srcSet={`${paths.folderCover(id, cover.id, cover.version)} 828w, ${paths.folderWeb(id, cover.id, cover.version)} 2048w`}
          sizes="100vw"
          alt=""
          width={cover.width!}
          height={cover.height!}
          fetchPriority="high"
        />
      )}
      <div className={`wrap ${styles.head}`}>
        <p className={`label kerb ${styles.label}`}>
          Gallery{client && <span>{client}</span>}
          {season && <span>{season}</span>}
        </p>
        <h1 {...resultPlace}>{title}</h1>
        <Facts
          look="figures"
          className={styles.facts}
          facts={[
            ['Content', counted(count, 'file')],
            ['Size', bytesText(bytes)],
            ['Open until', expiresAt && <LastDay key="day" end={expiresAt} />],
            ['Downloads left', downloadsLeft],
          ]}
        />
        {count > 0 &&
          (may.originals || may.web) &&
          (downloadsLeft === 0 ? (
            <Alert className={styles.used}>
              <p>
                All downloads of this gallery have been used.{' '}
                <a href={paths.contact()} data-contact="More downloads of a gallery">
                  Ask us for more
                </a>
                .
              </p>
            </Alert>
          ) : (
            <p className={styles.all}>
              {may.originals && held.count < count && (
                <DownloadLink href={paths.folderZip(id)} className={button.button}>
                  Download all <DownloadIcon />
                  <span className="unseen">{bytesText(given)} as ZIP</span>
                </DownloadLink>
              )}
              {may.web && hasPictures && (
                <DownloadLink
                  href={`${paths.folderZip(id)}?size=web`}
                  className={may.originals ? styles.web : button.button}
                >
                  {may.originals ? 'Web size, 2048 px' : 'Download all in web size'}{' '}
                  <DownloadIcon />
                  <span className="unseen">as ZIP</span>
                </DownloadLink>
              )}
            </p>
          ))}
        {isProof && (
          <p className={styles.held}>
            {folder.picks.rounds === 'none'
              ? 'These are proofs, with our name across the photos.'
              : 'These are proofs. Choose your favourites; we’ll deliver them without the watermark.'}
          </p>
        )}
        {held.count > 0 && (
          <p className={styles.held}>
            {counted(held.count, 'RAW file')} {held.count === 1 ? 'isn’t' : 'aren’t'} available for
            download.{' '}
            <a href={paths.contact()} data-contact="RAW files of a gallery">
              Ask us for {held.count === 1 ? 'it' : 'them'}
            </a>
            .
          </p>
        )}
      </div>
    </header>
  )
}

/** The picture above a gallery's first page: its first one that is wider than high. */
export function coverOf({ files, page, filter }: OpenFolder): FolderFile | null {
  if (page > 1 || filter !== 'all') return null
  const isWide = ({ kind, pixels, broken, width, height }: FolderFile) =>
    kind === 'image' && pixels && !broken && width! >= 900 && width! > height! * 1.2
  return files.find(isWide) ?? null
}
