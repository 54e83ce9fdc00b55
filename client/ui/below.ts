/**
 * Marks a part of a page that lies below its first view, to be spread on its element: in a page from the
 * server it is laid out once the first view is painted (`client/inline/start.ts`). The mark is gone by
 * the time React takes the element over, which is no mistake.
 */
export const below = { 'data-below': '', suppressHydrationWarning: true } as const
