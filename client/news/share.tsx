import { useState, useSyncExternalStore } from 'react'
import { paths } from '#shared/paths.ts'
import { useSite } from '../site/data/identity.ts'
import styles from './share.module.css'

/** Ways to pass an article on: plain links, so no other site hears of the reader before a click. */
export function Share({ slug, title }: { slug: string; title: string }) {
  const url = (useSite()?.origin ?? '') + paths.article(slug)
  const [link, text] = [encodeURIComponent(url), encodeURIComponent(title)]
  return (
    <aside className={styles.share} aria-labelledby="share-title">
      <h2 className="label" id="share-title">
        Share
      </h2>
      <ul>
        {[
          ['LinkedIn', `https://www.linkedin.com/sharing/share-offsite/?url=${link}`],
          ['X', `https://x.com/intent/post?url=${link}&text=${text}`],
          ['Facebook', `https://www.facebook.com/sharer/sharer.php?u=${link}`],
          ['Email', `mailto:?subject=${text}&body=${link}`],
        ].map(([name, href]) => (
          <li key={name}>
            <a href={href} rel="noopener">
              {name}
            </a>
          </li>
        ))}
        <CopyLink url={url} />
      </ul>
    </aside>
  )
}

/** Only a script can copy, so it is there once one runs. */
function CopyLink({ url }: { url: string }) {
  const [copied, setCopied] = useState(false)
  const able = useSyncExternalStore(never, canCopy, () => false)
  return (
    <li>
      {able && (
        <button
          type="button"
          onClick={() => void navigator.clipboard.writeText(url).then(() => setCopied(true))}
        >
          Copy link
        </button>
      )}
      <span role="status">{copied && 'Copied'}</span>
    </li>
  )
}

const never = () => () => {}
const canCopy = () => 'clipboard' in navigator
