import type { Picture } from '#shared/content.ts'
import type { Row } from '../collections.ts'
import type { ProjectCard } from '#shared/portfolio.ts'
import type { Content } from '../content/source.ts'

/** A project as a grid shows it. */
export async function projectCard(
  row: Row<'portfolio'>,
  content: Pick<Content, 'picture'>,
): Promise<ProjectCard> {
  return {
    slug: row.slug,
    title: row.title,
    client: row.client ?? null,
    discipline: row.discipline ?? null,
    year: row.year ?? null,
    location: row.location ?? null,
    event: row.event ?? null,
    number: row.numbers?.[0] ?? null,
    pictures: pictureIds(row).length,
    picture: await content.picture(row.image ?? row.images?.[0]),
  }
}

/** The pictures of a project: its lead first, none twice. */
export async function projectPictures(
  row: Row<'portfolio'>,
  content: Pick<Content, 'picture'>,
): Promise<Picture[]> {
  const pictures = await Promise.all(pictureIds(row).map((id) => content.picture(id)))
  return pictures.filter((picture) => picture !== null)
}

const pictureIds = ({ image, images }: Row<'portfolio'>) => [
  ...new Set([image, ...(images ?? [])].filter((id) => typeof id === 'string' && id !== '')),
]
