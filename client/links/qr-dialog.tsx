import { useEffect, useRef } from 'react'
import type { ShownLink } from '#shared/links.ts'
import { paths } from '#shared/paths.ts'
import button from '../ui/button.module.css'
import styles from './qr-dialog.module.css'

/** Shows a link's QR code, large enough to be scanned from the screen. */
export function QrDialog({ link, onClose }: { link: ShownLink | null; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (link) dialog.current?.showModal()
  }, [link])
  const picture = link && paths.shortLink(link.code)
  return (
    // The Escape key closes it, too.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby="qr-title"
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) dialog.current.close()
      }}
    >
      {link && picture && (
        <div className={styles.inner}>
          <h2 id="qr-title">/l/{link.code}</h2>
          <img src={`${picture}.svg`} alt={`QR code of ${link.address}`} width={320} height={320} />
          <p>Opens {link.host}. Use the SVG for print.</p>
          <div className={styles.ways}>
            <a
              href={`${picture}.svg`}
              download={`${link.code}.svg`}
              className={`${button.button} ${button.small}`}
            >
              Download SVG
            </a>
            <a
              href={`${picture}.png`}
              download={`${link.code}.png`}
              className={`${button.button} ${button.small} ${button.quiet}`}
            >
              PNG
            </a>
            <button
              type="button"
              className={`${button.button} ${button.small} ${button.quiet}`}
              onClick={() => dialog.current?.close()}
            >
              Close
            </button>
          </div>
        </div>
      )}
    </dialog>
  )
}
