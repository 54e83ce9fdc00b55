import { redirect, type LoaderFunctionArgs } from 'react-router'
import { shareImage } from '#shared/seo/share-image.ts'
import { getArticle } from '#shared/news.ts'
import { paths } from '#shared/paths.ts'
import { siteOf } from '../site/data/loading.ts'
import { shownPicture } from '../ui/pictures/shown-picture.ts'
import { articlePreview } from './cards.ts'

/** An article; a former slug leads to the present one for good, with the campaign it was opened from. */
export async function loader(args: LoaderFunctionArgs) {
  const site = siteOf(args)
  const { search, searchParams } = new URL(args.request.url)
  const preview = searchParams.get('preview') ?? undefined
  const found = await site.api(getArticle, { slug: args.params.slug ?? '', preview })
  if ('movedTo' in found) throw redirect(paths.article(found.movedTo) + search, 301)
  // A preview is for one reader and never kept.
  if (found.previewUntil) site.degrade()
  const { picture, related, ...article } = found
  return {
    ...article,
    picture: shownPicture(picture, '16:9', { isFirst: true }),
    shared: picture && shareImage(picture),
    related: related.map((each) => articlePreview(each)),
  }
}

/** The data of an article's page. */
export type ArticleData = Awaited<ReturnType<typeof loader>>
