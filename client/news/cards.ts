import type { ArticleCard } from '#shared/news.ts'
import type { Ratio } from '#shared/images.ts'
import { shownPicture } from '../ui/pictures/shown-picture.ts'

/** An article as lists show it, its picture ready. */
export const articlePreview = ({ picture, ...card }: ArticleCard, ratio: Ratio = '3:2') => ({
  ...card,
  picture: shownPicture(picture, ratio),
})

/** What {@link articlePreview} gives. */
export type ArticlePreview = ReturnType<typeof articlePreview>
