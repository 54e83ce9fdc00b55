import { paths } from '#shared/paths.ts'
import { RichText } from '../ui/text/rich-text.tsx'
import type { ArticleData } from './article-loader.ts'
import styles from './article-page.module.css'

/** What an article says, and its tags. */
export const Component = ({
  article: { body, excerpt, tags },
}: {
  article: Pick<ArticleData, 'body' | 'excerpt' | 'tags'>
}) => (
  <div className={styles.text}>
    {body ? <RichText html={body} /> : <p>{excerpt}</p>}
    {tags.length > 0 && (
      <ul className={styles.tags} aria-label="Tags">
        {tags.map((tag) => (
          <li key={tag}>
            <a href={paths.search(tag)}>{tag}</a>
          </li>
        ))}
      </ul>
    )}
  </div>
)
