import { ArticleCard } from './article-card.tsx'
import type { ArticlePreview } from './cards.ts'
import styles from './list-page.module.css'

/** The articles of a page of the news. */
export const Component = ({ articles }: { articles: readonly ArticlePreview[] }) => (
  <ul className={`wrap ${styles.articles}`}>
    {articles.map((article, index) => (
      <li key={article.slug}>
        <ArticleCard article={article} lead={index === 0} sizes={sizes(index)} />
      </li>
    ))}
  </ul>
)

/** How wide the pictures of a page are shown, by place. */
const sizes = (index: number) =>
  index === 0
    ? '(width < 60rem) 100vw, 56vw'
    : `(width < 40rem) 100vw, (width < 60rem) 50vw, ${index < 3 ? 46 : 31}vw`
