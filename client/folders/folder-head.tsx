import type { OpenFolder } from '#shared/folders.ts'
import { paths } from '#shared/paths.ts'
import { Alert } from '../ui/alert.tsx'
import { Day } from '../ui/day.tsx'
import { Facts } from '../ui/facts.tsx'
import { Icon } from '../ui/icons.tsx'
import button from '../ui/button.module.css'
import { bytesText, counted } from './format.ts'
import styles from './folder-head.module.css'

/** Downwards onto a line. */
export const DownloadIcon = () => (
  <Icon size={20}>
    <path d="M12 3v12m-5-5 5 5 5-5M4 20h16" />
  </Icon>
)

/** What the folder is, how much is in it, until when it is open, and all of it at once. */
export function FolderHead({ folder }: { folder: OpenFolder }) {
  const { id, title, client, season, count, bytes, held, expiresAt, downloadsLeft, may } = folder
  const given = bytes - held.bytes
  return (
    <header className={`wrap ${styles.head}`}>
      <p className={`label kerb ${styles.label}`}>
        Shared folder{client && <span>{client}</span>}
        {season && <span>{season}</span>}
      </p>
      <h1>{title}</h1>
      <Facts
        look="figures"
        className={styles.facts}
        facts={[
          ['Content', counted(count, 'file')],
          ['Size', bytesText(bytes)],
          ['Open until', expiresAt && <Day key="day" iso={expiresAt} />],
          ['Downloads left', downloadsLeft],
        ]}
      />
      {count > 0 &&
        may.originals &&
        (downloadsLeft === 0 ? (
          <Alert className={styles.used}>
            <p>
              All downloads of this folder have been used.{' '}
              <a href={paths.contact()} data-contact="More downloads of a shared folder">
                Ask us for more
              </a>
              .
            </p>
          </Alert>
        ) : (
          held.count < count && (
            <a href={paths.folderZip(id)} download="" className={`${button.button} ${styles.all}`}>
              Download all <DownloadIcon />
              <span className="unseen">{bytesText(given)} as ZIP</span>
            </a>
          )
        ))}
      {held.count > 0 && (
        <p className={styles.held}>
          {counted(held.count, 'camera file')} cannot be downloaded
          {held.count < count && ' and will not be in the ZIP'}: serial numbers cannot be taken out
          of {held.count === 1 ? 'it' : 'them'}.{' '}
          <a href={paths.contact()} data-contact="Camera files of a shared folder">
            Ask us for {held.count === 1 ? 'it' : 'them'}
          </a>
          .
        </p>
      )}
    </header>
  )
}
