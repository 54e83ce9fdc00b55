import type { ReactNode } from 'react'

type Props = {
  href: string
  className?: string | undefined
  'aria-label'?: string
  children: ReactNode
}

/**
 * A link to a file or ZIP, which the server sends as a download. It’s followed like any link, so that anyone who
 * is refused reads why: of a link with `download`, browsers say no more than that it failed, or keep
 * the page that says why under the name of the file. Without a network there is no such page, and
 * ours would give way to that of the browser.
 */
export function DownloadLink({ href, children, ...more }: Props) {
  return (
    // The target keeps it from the router, which would look for a page.
    <a
      {...more}
      href={href}
      target="_self"
      onClick={({ currentTarget }) => currentTarget.toggleAttribute('download', !navigator.onLine)}
    >
      {children}
    </a>
  )
}
