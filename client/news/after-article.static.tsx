import { paths } from '#shared/paths.ts'
import { SectionHead } from '../ui/page/section-head.tsx'
import button from '../ui/button.module.css'
import { CardGrid } from '../ui/cards/card-grid.tsx'
import { ArrowIcon } from '../ui/icons.tsx'
import styles from './after-article.module.css'
import { ArticleCard } from './article-card.tsx'
import type { ArticleData } from './article-loader.ts'

/** The ways on from an article: the ones before and after it, and those about the same. */
export function Component({ article }: { article: ArticleData }) {
  const { previous, next, related } = article
  return (
    <>
      <p className={`wrap ${styles.booking}`}>
        <strong>Want your race covered like this?</strong>
        <a href={paths.booking()} className={button.button}>
          Book your dates
        </a>
      </p>
      {(previous ?? next) && (
        <nav className={`wrap ${styles.beside}`} aria-label="More articles">
          {previous ? (
            <a href={paths.article(previous.slug)} rel="prev">
              <span className="label">Older</span>
              <ArrowIcon />
              <strong>{previous.title}</strong>
            </a>
          ) : (
            <span />
          )}
          {next ? (
            <a href={paths.article(next.slug)} rel="next">
              <span className="label">Newer</span>
              <strong>{next.title}</strong>
              <ArrowIcon />
            </a>
          ) : (
            <span />
          )}
        </nav>
      )}
      {related.length > 0 && (
        <section className={styles.related} aria-labelledby="related-title">
          <div className="wrap">
            <SectionHead label="Keep reading" id="related-title" title="Related stories">
              <a href={paths.news()} className={button.arrow}>
                <span>All news</span> <ArrowIcon />
              </a>
            </SectionHead>
            <CardGrid>
              {related.map((each) => (
                <li key={each.slug}>
                  <ArticleCard article={each} heading="h3" sizes="(width < 48rem) 100vw, 31vw" />
                </li>
              ))}
            </CardGrid>
          </div>
        </section>
      )}
    </>
  )
}
