import { paths } from '#shared/paths.ts'
import card from '../ui/cards/card.module.css'
import { Day } from '../ui/text/day.tsx'
import { Picture } from '../ui/pictures/picture.tsx'
import styles from './article-card.module.css'
import type { ArticlePreview } from './cards.ts'

type Props = {
  article: ArticlePreview
  sizes: string
  /** The one that leads the list: larger, with its excerpt, its picture fetched at once. */
  lead?: boolean
  heading?: 'h2' | 'h3'
}

/** An article in a list. */
export function ArticleCard({ article, sizes, lead = false, heading: Heading = 'h2' }: Props) {
  const { slug, title, excerpt, category, publishedAt, picture } = article
  return (
    <article className={`${card.card} ${styles.article}`} data-lead={lead ? '' : undefined}>
      <div className={`${card.frame} ${styles.frame}`}>
        {picture ? (
          <Picture picture={picture} alt="" sizes={sizes} first={lead} />
        ) : (
          <div className={card.noPicture} />
        )}
      </div>
      <div className={styles.words}>
        <p className={`label ${card.meta} ${styles.meta}`}>
          {category && <span>{category}</span>}
          <Day iso={publishedAt} />
        </p>
        <Heading className={`${card.title} ${styles.title}`}>
          <a href={paths.article(slug)}>{title}</a>
        </Heading>
        {excerpt && <p className={styles.excerpt}>{excerpt}</p>}
      </div>
    </article>
  )
}
