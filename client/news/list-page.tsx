import { useLoaderData } from 'react-router'
import { newsTexts } from '#shared/news-texts.ts'
import { paths } from '#shared/paths.ts'
import { Head } from '../site/head/head.tsx'
import { staticPart } from '../site/static-part.tsx'
import { useIdentity } from '../site/data/identity.ts'
import button from '../ui/button.module.css'
import { ChoiceLinks } from '../ui/lists/choice-links.tsx'
import { PageHead } from '../ui/page/page-head.tsx'
import head from '../ui/page/page-head.module.css'
import { EmptyState } from '../ui/page/empty-state.tsx'
import { Pager } from '../ui/lists/pager.tsx'
import styles from './list-page.module.css'
import type { NewsData } from './list-loader.ts'

const Cards = staticPart(() => import('./list-cards.static.tsx'))

/** The news, newest first. */
export function Component() {
  const { news } = useLoaderData<NewsData>()
  const { brand } = useIdentity()
  const category = news?.category
  const title = category ? `News: ${category.title}` : newsTexts.title
  return (
    <>
      <Head
        title={title}
        description={`Race reports, guides and notes from the paddock by ${brand}: how motorsport is photographed, filmed, written and published.`}
      />
      <PageHead
        label="News"
        title={category ? category.title : newsTexts.heading}
        lead={newsTexts.lead}
      >
        <p className={head.tools}>
          <a href={paths.feed()}>RSS feed</a>
        </p>
      </PageHead>
      {news ? <Articles news={news} /> : <Unknown />}
    </>
  )
}

function Articles({ news }: { news: NonNullable<NewsData['news']> }) {
  const { articles, category, categories, page, pages } = news
  const href = address(category?.slug)
  return (
    <>
      {categories.length > 1 && (
        <div className={`wrap ${styles.filter}`}>
          <ChoiceLinks
            label="Category"
            links={[
              { label: 'All', href: paths.news(), chosen: !category },
              ...categories.map(({ slug, title, count }) => ({
                label: title,
                count,
                href: address(slug)(1),
                chosen: slug === category?.slug,
              })),
            ]}
          />
        </div>
      )}
      {articles.length > 0 ? (
        <Cards key={href(page)} articles={articles} />
      ) : (
        <EmptyState title="No stories yet">
          <p>In the meantime, see what we do.</p>
          <a href={paths.portfolio()} className={button.button}>
            See our work
          </a>
        </EmptyState>
      )}
      <Pager page={page} pages={pages} href={href} />
    </>
  )
}

const Unknown = () => (
  <EmptyState title="We couldn’t load the news">
    <p>Try again in a minute.</p>
    <a href={paths.news()} className={button.button}>
      Try again
    </a>
  </EmptyState>
)

const address = (category: string | undefined) => (page: number) => {
  const query = new URLSearchParams()
  if (category) query.set('category', category)
  if (page > 1) query.set('page', String(page))
  const text = query.toString()
  return paths.news() + (text ? `?${text}` : '')
}
