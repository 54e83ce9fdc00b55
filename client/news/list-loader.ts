import type { LoaderFunctionArgs } from 'react-router'
import { listNews } from '#shared/news.ts'
import { siteOf } from '../site/data/loading.ts'
import { readOptional } from '../site/data/optional-read.ts'
import { articlePreview } from './cards.ts'

/** A page of the news; null while the news can’t be read. */
export async function loader(args: LoaderFunctionArgs) {
  const site = siteOf(args)
  const query = new URL(args.request.url).searchParams
  const page = query.get('page') ?? undefined
  const category = query.get('category') ?? undefined
  const news = await readOptional(site, site.api(listNews, { page, category }))
  return {
    news: news && {
      ...news,
      articles: news.articles.map((article, index) => articlePreview(article, index === 0)),
    },
  }
}

/** The data of the news list. */
export type NewsData = Awaited<ReturnType<typeof loader>>
