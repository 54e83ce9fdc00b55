import { paths } from '#shared/paths.ts'
import { below } from '../ui/below.ts'
import button from '../ui/button.module.css'
import card from '../ui/cards/card.module.css'
import { Day } from '../ui/text/day.tsx'
import { ArrowIcon } from '../ui/icons.tsx'
import { Picture } from '../ui/pictures/picture.tsx'
import type { HomeArticle } from './loader.ts'
import styles from './news.module.css'
import { SectionHead } from '../ui/page/section-head.tsx'

/** The newest articles. */
export function Component({ articles }: { articles: readonly HomeArticle[] }) {
  return (
    <section className={`wrap ${styles.news}`} aria-labelledby="news-title" {...below}>
      <SectionHead label="News" id="news-title" title="From the paddock">
        <a href={paths.news()} className={button.arrow}>
          <span>All news</span> <ArrowIcon />
        </a>
      </SectionHead>
      <ul className={styles.articles}>
        {articles.map((article, index) => (
          <li key={article.slug}>
            <Article article={article} wide={index === 0} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Article({ article, wide }: { article: HomeArticle; wide: boolean }) {
  const { slug, title, excerpt, category, publishedAt, picture } = article
  return (
    <article className={card.card}>
      <div className={`${card.frame} ${styles.frame}`}>
        {picture ? (
          <Picture
            picture={picture}
            alt=""
            sizes={
              wide
                ? '(width < 60rem) 100vw, 56vw'
                : '(width < 40rem) 100vw, (width < 60rem) 46vw, 34vw'
            }
          />
        ) : (
          <div className={card.noPicture} />
        )}
      </div>
      <p className={`label ${card.meta}`}>
        {category && <span>{category}</span>}
        <Day iso={publishedAt} />
      </p>
      <h3 className={card.title}>
        <a href={paths.article(slug)}>{title}</a>
      </h3>
      {wide && <p className={styles.excerpt}>{excerpt}</p>}
    </article>
  )
}
