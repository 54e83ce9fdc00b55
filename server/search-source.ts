/** Something that can be found: public, and whole enough to be shown in a list. */
export type SearchDocument = {
  /** Unique among its kind, and the same as long as it is the same thing. */
  id: string
  title: string
  /** What it is about beside its text: category, place, client. */
  tags: string
  /** Its short text. */
  intro: string
  /** Where it is shown. */
  path: string
  /** ISO date, if it is of a day. */
  date?: string | null
  /** Reads its long text, as HTML; asked for after everything is findable by the rest. */
  body?: () => Promise<string | null>
}

/** Texts side by side, as one to be searched; what is not there leaves nothing. */
export const searchText = (
  ...parts: readonly (string | number | readonly string[] | null | undefined)[]
): string =>
  parts
    .flatMap((part) => part ?? [])
    .filter((part) => part !== '')
    .join(' · ')

/** Where the documents of a kind come from. */
export type SearchSource = {
  /** One word, as it stands in `?type=`: lower-case letters. */
  kind: string
  /** The word on its tab, such as "Services". */
  label: string
  /** True where {@link SearchDocument.tags} are words for readers, to be shown with a result. */
  showsTags?: boolean
  /** Everything that the public may see at this moment. */
  read(): Promise<readonly SearchDocument[]>
}

/** How long the words of a page wait for those of content, in milliseconds. */
export const pageTimeout = 1_500

/** A page that is no row of a collection, as it can be found. */
export const searchPage = (
  path: string,
  { title, intro, tags }: { title: string; intro: string; tags: string },
): SearchDocument => ({ id: path, path, title, intro, tags })
