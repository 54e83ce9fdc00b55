/** Something that can be found: public, and whole enough to be shown in a list. */
export type SearchDocument = {
  /** Unique among its kind, and the same as long as it is the same thing. */
  id: string
  title: string
  /**
   * Other names by which visitors look for it, such as "withdrawal". A term that is the title or one
   * of these finds it first.
   */
  names?: readonly string[]
  /** What it is about beside its text: category, place, client. */
  tags: string
  /** Its short text. */
  intro: string
  /** Where it is shown. */
  path: string
  /** ISO date, if it is of a day. */
  date?: string | null
  /** ISO date of its last day, for what is over after it; whatever is over comes last. */
  until?: string
  /** The asset that shows it in lists. */
  picture?: string | null
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
  /** One word, as it is in `?type=`: lower-case letters. */
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

/** What a page says of itself, in the head of the document and at its top. */
type PageTexts = { title: string; heading?: string; lead?: string; description?: string }

/**
 * A page that isn't a row of a collection, as it can be found: by its own words, and by the names that
 * visitors have for it.
 * @param more `intro` what it shows beside its own texts, `body` its long text as HTML
 */
export const searchPage = (
  path: string,
  { title, heading, lead, description }: PageTexts,
  {
    names,
    intro,
    body,
  }: { names: readonly string[]; intro?: string; body?: NonNullable<SearchDocument['body']> },
): SearchDocument => ({
  id: path,
  path,
  title,
  names,
  tags: '',
  intro: searchText(heading === title ? null : heading, lead, description, intro),
  ...(body && { body }),
})
