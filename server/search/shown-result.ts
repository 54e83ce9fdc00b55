import { assetUrl, heightFor } from '#shared/images.ts'
import type { SearchResult } from '#shared/search-results.ts'
import type { SearchSource } from '../search-source.ts'
import { excerpt, hasMatch, parts } from './excerpt.ts'
import type { FoundEntry } from './index-file.ts'

const thumbnail = { width: 192, height: heightFor(192, '3:2'), fit: 'cover' } as const

/** A result as visitors see it. @param source where it comes from */
export function shownResult(entry: FoundEntry, source: SearchSource | undefined): SearchResult {
  const { kind, path, date, title, picture } = entry
  const label = source?.label ?? kind
  const text = telling(entry, source?.showsTags ?? false)
  return {
    kind,
    label,
    path,
    date,
    title: parts(title),
    excerpt: excerpt(text),
    picture: picture === null ? null : assetUrl(picture, thumbnail),
  }
}

/** The text that tells why something was found. */
function telling({ title, tags, intro, body }: FoundEntry, showsTags: boolean): string {
  if (hasMatch(intro)) return intro
  if (hasMatch(body)) return body
  const text = intro || body
  const tagged = !hasMatch(title) && showsTags
  return (tagged ? [tags, text] : [text]).filter(Boolean).join(' · ')
}
