import * as z from 'zod/mini'
import type { Picture } from './content.ts'
import { endpoint, json } from './endpoint.ts'

/** How many articles a page of the news shows. */
export const articlesPerPage = 12

/** An article as a list shows it. */
export type ArticleCard = {
  slug: string
  title: string
  excerpt: string
  category: string | null
  author: string | null
  publishedAt: string
  picture: Picture | null
}

/** A category as an address and a person know it. */
export type Category = { slug: string; title: string; count: number }

/** A page of the news, newest first. */
export type NewsPage = {
  articles: ArticleCard[]
  total: number
  page: number
  pages: number
  /** The one that is asked for. */
  category: Category | null
  categories: Category[]
}

/** An article with everything that its page shows. */
export type Article = ArticleCard & {
  tags: string[]
  /** When it was last edited, as ISO time, where the content service says so. */
  updatedAt: string | null
  /** Safe HTML; null where the article has no text. */
  body: string | null
  /** Minutes that reading it takes. */
  minutes: number
  /** The next older and the next newer one. */
  previous: { slug: string; title: string } | null
  next: { slug: string; title: string } | null
  related: ArticleCard[]
  /** Set while only the holder of a preview link can see it: when the link ends, as ISO time. */
  previewUntil: string | null
}

const text = z.optional(z.string())

/** The newest articles. */
export const latestNews = endpoint({
  method: 'GET',
  path: '/api/content/latest-news',
  input: z.object({}),
  output: json<ArticleCard[]>(),
})

/** The news; an unknown category or a page beyond the end is `missing`. */
export const listNews = endpoint({
  method: 'GET',
  path: '/api/news',
  input: z.object({ page: text, category: text }),
  output: json<NewsPage>(),
})

/** One article, or where it is now; `missing` where there is none that may be seen. */
export const getArticle = endpoint({
  method: 'GET',
  path: '/api/news/:slug',
  input: z.object({ slug: z.string(), preview: text }),
  output: json<Article | { movedTo: string }>(),
})
