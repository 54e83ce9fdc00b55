import type { Picture } from '#shared/content.ts'
import type { Row } from '../collections.ts'
import { assetUrl } from '#shared/images.ts'
import type { Film, Project, ProjectCard } from '#shared/portfolio.ts'
import type { Content } from '../content/source.ts'

/** A project as a grid shows it. */
export async function projectCard(
  row: Row<'portfolio'>,
  content: Pick<Content, 'picture'>,
): Promise<ProjectCard> {
  const pictures = await projectPictures(row, content)
  return {
    slug: row.slug,
    title: row.title,
    client: row.client ?? null,
    discipline: row.discipline ?? null,
    year: row.year ?? null,
    location: row.location ?? null,
    event: row.event ?? null,
    number: row.numbers?.[0] ?? null,
    pictures: pictures.length,
    picture: pictures[0] ?? null,
  }
}

/** The pictures of a project that are there: its lead first, none twice. */
export async function projectPictures(
  row: Row<'portfolio'>,
  content: Pick<Content, 'picture'>,
): Promise<Picture[]> {
  const pictures = await Promise.all(pictureIds(row).map((id) => content.picture(id)))
  return pictures.filter((picture) => picture !== null)
}

/** What a client said of a project; nothing without its author. */
export const quoteOf = (row: Row<'portfolio'>): Project['quote'] =>
  row.quote && row.quote_name
    ? { quote: row.quote, name: row.quote_name, role: row.quote_role ?? null }
    : null

/** The film of a project; only files of the content service play, foreign ones are links. */
export async function filmOf(
  row: Row<'portfolio'>,
  content: Pick<Content, 'picture'>,
): Promise<Film | null> {
  const { video, video_captions: captions, video_poster: poster, video_seconds: seconds } = row
  if (!isFile(video)) return null
  return {
    src: assetUrl(video),
    captions: isFile(captions) ? assetUrl(captions) : null,
    poster: await content.picture(poster ?? row.image),
    seconds: seconds ?? null,
    published: row.published_at ?? null,
  }
}

const isFile = (value: string | null | undefined): value is string =>
  typeof value === 'string' && /^[\w-]{1,80}$/.test(value)

const pictureIds = ({ image, images }: Row<'portfolio'>) => [
  ...new Set([image, ...(images ?? [])].filter((id) => typeof id === 'string' && id !== '')),
]
