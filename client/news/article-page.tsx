import { useLoaderData } from 'react-router'
import { paths } from '#shared/paths.ts'
import { slugOf } from '#shared/text/slug.ts'
import { Head } from '../site/head/head.tsx'
import { Day } from '../ui/text/day.tsx'
import { Picture } from '../ui/pictures/picture.tsx'
import { staticPart } from '../site/static-part.tsx'
import type { ArticleData } from './article-loader.ts'
import styles from './article-page.module.css'
import { Share } from './share.tsx'
import { breadcrumbs, newsArticle } from '#shared/seo/seo.ts'
import { StructuredData } from '../site/head/structured-data.tsx'

const Text = staticPart(() => import('./article-text.static.tsx'))
const AfterArticle = staticPart(() => import('./after-article.static.tsx'))

/** A news article. */
export function Component() {
  const article = useLoaderData<ArticleData>()
  const { slug, title, excerpt, picture, shared, previewUntil } = article
  return (
    <>
      <Head
        title={title}
        description={excerpt}
        image={shared}
        type="article"
        hidden={previewUntil !== null}
      />
      <article>
        {previewUntil && (
          <p className={styles.preview} role="note">
            Preview: not published yet. This link works until <Time iso={previewUntil} />.
          </p>
        )}
        <ArticleHead article={article} />
        {picture && (
          <div className={`wrap ${styles.hero}`}>
            <div className={styles.frame}>
              <Picture picture={picture} sizes="(width < 96rem) 92vw, 86rem" first />
            </div>
          </div>
        )}
        <div className={`wrap ${styles.body}`}>
          <Text key={slug} article={article} />
          {!previewUntil && <Share slug={slug} title={title} />}
        </div>
      </article>
      <AfterArticle key={slug} article={article} />
      <ArticleForMachines article={article} />
    </>
  )
}

function ArticleHead({ article }: { article: ArticleData }) {
  const { title, excerpt, category, author, publishedAt, minutes } = article
  return (
    <header className={`wrap ${styles.head}`}>
      <p className={`label ${styles.meta}`}>
        <a href={paths.news()}>News</a>
        {category && (
          <a href={`${paths.news()}?category=${slugOf(category)}`} className={styles.category}>
            {category}
          </a>
        )}
        <Day iso={publishedAt} long />
        <span>{minutes} min read</span>
      </p>
      <h1>{title}</h1>
      {excerpt && <p className={styles.lead}>{excerpt}</p>}
      {author && (
        <p className={styles.author}>
          By <strong>{author}</strong>
        </p>
      )}
    </header>
  )
}

/** A moment in Helsinki. */
function Time({ iso }: { iso: string }) {
  const time = new Intl.DateTimeFormat('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'Europe/Helsinki',
  })
  return <time dateTime={iso}>{time.format(new Date(iso))} in Helsinki</time>
}

/** An article for search engines. */
function ArticleForMachines({ article }: { article: ArticleData }) {
  const { slug, title, shared, previewUntil } = article
  if (previewUntil) return null
  return (
    <StructuredData
      things={
        import.meta.env.SSR
          ? (publisher, sharedPicture) => [
              newsArticle({ ...article, image: sharedPicture(shared) }, publisher),
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
