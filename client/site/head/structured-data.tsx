import type { Publisher } from '#shared/seo/seo.ts'
import { jsonLd, type Thing } from '#shared/seo/json-ld.ts'
import { useIdentity, useSite } from '../data/identity.ts'

type Props = {
  /**
   * Builds the page's structured data from its publisher; null in the browser, so its bundle goes
   * without the code that makes it: `import.meta.env.SSR ? (publisher) => [...] : null`.
   */
  things: ((publisher: Publisher) => readonly Thing[]) | null
}

/**
 * Structured data of a page, each thing in a data block of its own; no policy has to allow those.
 * Search engines read what the server has written, so the browser leaves that as it is.
 */
export const StructuredData = ({ things }: Props) =>
  import.meta.env.SSR && things ? <Written things={things} /> : <Blocks html="" />

function Written({ things }: { things: NonNullable<Props['things']> }) {
  const identity = useIdentity()
  const origin = useSite()?.origin ?? ''
  const html = things({ origin, identity })
    .map((thing) => `<script type="application/ld+json">${jsonLd(thing)}</script>`)
    .join('')
  return <Blocks html={html} />
}

const Blocks = ({ html }: { html: string }) => (
  <div hidden suppressHydrationWarning dangerouslySetInnerHTML={{ __html: html }} />
)
