import type { ArticleCard } from '#shared/news.ts'
import { shownPicture } from '../ui/pictures/shown-picture.ts'

/**
 * An article as lists show it, its picture ready.
 * @param isFirst whether the page begins with it
 */
export const articlePreview = ({ picture, ...card }: ArticleCard, isFirst = false) => ({
  ...card,
  picture: shownPicture(picture, '3:2', { isFirst }),
})

/** What {@link articlePreview} gives. */
export type ArticlePreview = ReturnType<typeof articlePreview>
