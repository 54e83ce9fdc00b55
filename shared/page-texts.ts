/**
 * What pages say of themselves: `title` and `description` in the head of the document, `heading` and
 * `lead` at the top of the page where they differ. The pages show these words and the search finds
 * them, so there is one copy. Those of a page are in `shared/{noun}-texts.ts`, so no page loads
 * those of others.
 */
export type PageTexts = { title: string; description?: string; heading?: string; lead?: string }
