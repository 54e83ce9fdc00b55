import type { LoaderFunctionArgs } from 'react-router'
import { shareImage } from '#shared/seo/share-image.ts'
import { getService } from '#shared/services.ts'
import { projectPreview } from '../portfolio/preview.ts'
import { siteOf } from '../site/data/loading.ts'
import { shownPicture, pictureByWidth } from '../ui/pictures/shown-picture.ts'

/** What the page of a service shows. */
export async function loader(args: LoaderFunctionArgs) {
  const site = siteOf(args)
  const service = await site.api(getService, { slug: args.params.slug ?? '' })
  if (service.standsIn) site.degrade()
  const { picture, gallery, work, ...words } = service
  return {
    ...words,
    picture: pictureByWidth(picture, { narrow: '4:5' }),
    shared: picture && shareImage(picture),
    gallery: gallery.flatMap((each) => shownPicture(each, '3:2') ?? []),
    work: work.map((project) => projectPreview(project)),
  }
}

/** The data of a service page. */
export type ServiceData = Awaited<ReturnType<typeof loader>>
