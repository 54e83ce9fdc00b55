import { paths } from '#shared/paths.ts'
import { breadcrumbs, newsArticle } from '#shared/seo.ts'
import { StructuredData } from '../site/head/structured-data.tsx'
import type { ArticleData } from './article-loader.ts'

/** An article for search engines. */
export function ArticleForMachines({ article }: { article: ArticleData }) {
  const { slug, title, shared, previewUntil } = article
  if (previewUntil) return null
  return (
    <StructuredData
      things={
        import.meta.env.SSR
          ? (publisher) => [
              newsArticle({ ...article, image: shared?.url ?? null }, publisher),
              breadcrumbs(
                [
                  { name: 'News', path: paths.news() },
                  { name: title, path: paths.article(slug) },
                ],
                publisher,
              ),
            ]
          : null
      }
    />
  )
}
