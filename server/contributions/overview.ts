/** A line of /llms.txt: a link where there is a path, else a plain text. */
export type OverviewLine = { text: string; path?: string; about?: string | null | undefined }

/** A part of /llms.txt, which tells language models what the site has. */
export type OverviewPart = {
  /** Parts of the same heading are below it together. */
  heading: string
  /** What is there. A part that cannot be read, or not in time, is left out. */
  read(): Promise<readonly OverviewLine[]> | readonly OverviewLine[]
}

/** The heading of pages that are worth a look. */
export const mainPages = 'Pages'
/** The heading of what may be skipped (llmstxt.org). */
export const optionalPages = 'Optional'
