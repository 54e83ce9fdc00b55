import type { ProjectCard } from '#shared/portfolio.ts'
import { shownPicture } from '../ui/pictures/shown-picture.ts'

/**
 * A project as lists show it, its picture ready.
 * @param isFirst whether the page begins with it
 */
export const projectPreview = ({ picture, ...card }: ProjectCard, isFirst = false) => ({
  ...card,
  picture: shownPicture(picture, '3:2', { isFirst }),
})

/** What {@link projectPreview} gives. */
export type ProjectPreview = ReturnType<typeof projectPreview>
