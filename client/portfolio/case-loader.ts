import { redirect, type LoaderFunctionArgs } from 'react-router'
import { shareImage } from '#shared/seo/share-image.ts'
import { assetUrl, heightFor } from '#shared/images.ts'
import { paths } from '#shared/paths.ts'
import { getProject } from '#shared/portfolio.ts'
import type { Picture } from '#shared/content.ts'
import { siteOf } from '../site/data/loading.ts'
import { shownPicture, pictureByWidth } from '../ui/pictures/shown-picture.ts'
import { projectPreview } from './preview.ts'

/**
 * A case: one project on its own page; a former slug leads to the present one for good, with the
 * campaign it was opened from.
 */
export async function loader(args: LoaderFunctionArgs) {
  const site = siteOf(args)
  const { search } = new URL(args.request.url)
  const found = await site.api(getProject, { slug: args.params.slug ?? '' })
  if ('movedTo' in found) throw redirect(paths.project(found.movedTo) + search, 301)
  const { picture, pictures, next, film, ...project } = found
  return {
    ...project,
    shared: picture && shareImage(picture),
    pictures: pictures.flatMap(
      (each, index) =>
        (index === 0 ? pictureByWidth(each, { narrow: '4:5' }) : shownPicture(each)) ?? [],
    ),
    film: film && {
      ...film,
      poster: film.poster && posterOf(film.poster),
    },
    next: next && {
      ...projectPreview(next),
      picture: pictureByWidth(next.picture, { narrow: '4:5' }),
    },
  }
}

/** The picture of a film before it begins, which a video element takes in one size alone. */
const posterOf = ({ id, version }: Picture) =>
  assetUrl(id, { width: 1080, height: heightFor(1080, '16:9'), fit: 'cover', version })

/** The data of a case's page. */
export type CaseData = Awaited<ReturnType<typeof loader>>
