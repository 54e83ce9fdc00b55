import type { ProjectCard } from '#shared/portfolio.ts'
import { shownPicture } from '../ui/pictures/shown-picture.ts'

/** A project as lists show it, its picture ready. */
export const projectPreview = ({ picture, ...card }: ProjectCard) => ({
  ...card,
  picture: shownPicture(picture, '3:2'),
})

/** What {@link projectPreview} gives. */
export type ProjectPreview = ReturnType<typeof projectPreview>
