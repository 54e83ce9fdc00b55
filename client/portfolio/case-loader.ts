import type { LoaderFunctionArgs } from 'react-router'
import { shareImage } from '#shared/share-image.ts'
import { getProject } from '#shared/portfolio.ts'
import { siteOf } from '../site/data/loading.ts'
import { shownPicture } from '../ui/pictures/shown-picture.ts'
import { projectPreview } from './preview.ts'

/** A case: one project on its own page. */
export async function loader(args: LoaderFunctionArgs) {
  const site = siteOf(args)
  const found = await site.api(getProject, { slug: args.params.slug ?? '' })
  const { picture, pictures, next, ...project } = found
  return {
    ...project,
    shared: picture && shareImage(picture),
    pictures: pictures.flatMap((each) => shownPicture(each) ?? []),
    next: next && projectPreview(next),
  }
}

/** The data of a case's page. */
export type CaseData = Awaited<ReturnType<typeof loader>>
