import { collections, hasLongText } from '../collections.ts'
import type { LongTexts } from './long-texts.ts'
import type { PublicationFilter } from './publication-filter.ts'
import type { References } from './references.ts'

/** Reads all visible content, so that every file and every foreign picture that it names is known. */
export type Survey = {
  /** Resolves once all has been read, whatever of it can be; once for each version. */
  complete(): Promise<void>
  /** Says that content has changed. */
  renew(): void
}

/** Texts read at the same time. */
const textsAtOnce = 4

/**
 * Makes a survey that has not begun.
 * @param newOrigins called when pictures come from other places than pages have been told of
 */
export function createSurvey({
  publication,
  texts,
  references,
  newOrigins,
}: {
  publication: Pick<PublicationFilter, 'of'>
  texts: Pick<LongTexts, 'note'>
  references: Pick<References, 'origins'>
  newOrigins: () => void
}): Survey {
  let surveyed: Promise<void> | null = null
  /** Foreign origins that pages have been told of. */
  let told = ''

  async function read(): Promise<void> {
    for (const collection of collections) {
      const rows = await publication.of(collection).then(
        ({ shown }) => shown,
        () => [],
      )
      if (!hasLongText(collection)) continue
      const note = ({ stored }: (typeof rows)[number]) =>
        texts.note(collection, stored).catch(() => {})
      for (let at = 0; at < rows.length; at += textsAtOnce) {
        await Promise.all(rows.slice(at, at + textsAtOnce).map(note))
      }
    }
    // Pages name them in their policy, also those that had been rendered before all was read.
    const origins = references.origins().join(' ')
    if (origins === told) return
    told = origins
    newOrigins()
  }

  return {
    complete: () => (surveyed ??= read()),
    renew() {
      surveyed = null
    },
  }
}
