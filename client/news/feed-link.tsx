import { paths } from '#shared/paths.ts'
import { useIdentity, useSite } from '../site/data/identity.ts'

/** Whether the news feed is linked from a page: from the news and every path below them. */
export const hasFeedLink = (pathname: string): boolean =>
  pathname === paths.news() || pathname.startsWith(`${paths.news()}/`)

/** Tells feed readers of the news feed, on pages that do not exist as well. */
export function FeedLink() {
  const { brand } = useIdentity()
  return (
    <link
      rel="alternate"
      type="application/rss+xml"
      title={`${brand} news`}
      href={(useSite()?.origin ?? '') + paths.feed()}
    />
  )
}
