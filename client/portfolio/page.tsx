import { useEffect, useEffectEvent, useRef } from 'react'
import { useLoaderData, useLocation, useNavigate } from 'react-router'
import { portfolioTexts } from '#shared/portfolio-texts.ts'
import { paths } from '#shared/paths.ts'
import { Head } from '../site/head/head.tsx'
import { staticPart } from '../site/static-part.tsx'
import button from '../ui/button.module.css'
import { CallToAction } from '../ui/page/call-to-action.tsx'
import { EmptyState } from '../ui/page/empty-state.tsx'
import { PageHead } from '../ui/page/page-head.tsx'
import { Pager } from '../ui/lists/pager.tsx'
import { withQuery } from './address.ts'
import { Filters } from './filters.tsx'
import type { PortfolioData } from './loader.ts'
import styles from './page.module.css'
import { ProjectView } from './project-view.tsx'

const Cards = staticPart(() => import('./list-cards.static.tsx'))

/** The portfolio: a grid under filters, and the view of one project above it. */
export function Component() {
  const { portfolio, project } = useLoaderData<PortfolioData>()
  const { search } = useLocation()
  const follow = useQuietFollow()
  useFocusReturn(project?.slug)
  return (
    <>
      {project ? (
        <Head
          title={`${project.title} — Portfolio`}
          description={project.description}
          image={project.shared}
          address={paths.project(project.slug)}
        />
      ) : (
        <Head title={portfolioTexts.title} description={portfolioTexts.description} />
      )}
      {project && (
        <div className={styles.view}>
          <ProjectView
            key={project.slug}
            project={project}
            back={withQuery(search, { project: null })}
          />
        </div>
      )}
      <PageHead label="Portfolio" title={portfolioTexts.heading} lead={portfolioTexts.lead} />
      {portfolio ? (
        <Grid portfolio={portfolio} search={search} follow={follow} />
      ) : (
        <EmptyState title="We couldn’t load the portfolio">
          <p>Try again in a minute.</p>
          <a href={paths.portfolio()} className={button.button}>
            Try again
          </a>
        </EmptyState>
      )}
      <CallToAction
        title="Yours could be next"
        text="Tell us what you race, run or sponsor, and what you need from the photos."
        subject="A project like those in your portfolio"
      />
    </>
  )
}

type Follow = (
  event: Pick<
    MouseEvent,
    'altKey' | 'button' | 'ctrlKey' | 'metaKey' | 'preventDefault' | 'shiftKey' | 'target'
  >,
) => void

function Grid({
  portfolio: { projects, total, page, pages, filters },
  search,
  follow,
}: {
  portfolio: NonNullable<PortfolioData['portfolio']>
  search: string
  follow: Follow
}) {
  const here = withQuery(search, { project: null })
  const list = useRef<HTMLDivElement>(null)
  const open = useEffectEvent(follow)
  useEffect(() => {
    const over = new AbortController()
    // The cards are not React's where the server has written them.
    list.current!.addEventListener('click', (event) => open(event), over)
    return () => over.abort()
  }, [])
  return (
    <>
      <div className={`wrap ${styles.filters}`}>
        <Filters filters={filters} search={search} onFollow={follow} />
        <p className={styles.total} role="status">
          {total === 1 ? '1 project' : `${total} projects`}
        </p>
      </div>
      <div ref={list}>
        {projects.length > 0 ? (
          <Cards key={here} projects={projects} search={search} />
        ) : (
          <NothingFound isFiltered={filters.some(({ chosen }) => chosen !== null)} />
        )}
      </div>
      <Pager
        page={page}
        pages={pages}
        href={(number) =>
          withQuery(search, { project: null, page: number > 1 ? String(number) : null })
        }
      />
    </>
  )
}

function NothingFound({ isFiltered }: { isFiltered: boolean }) {
  return (
    <EmptyState title={isFiltered ? 'No projects match' : 'No projects yet'}>
      <p>
        {isFiltered
          ? 'Clear a filter, or ask us for an example.'
          : 'In the meantime, ask us for examples of our work.'}
      </p>
      {isFiltered && (
        <a href={paths.portfolio()} className={button.button}>
          Clear filters
        </a>
      )}
    </EmptyState>
  )
}

/** Follows links of the portfolio to itself without moving the page; `opened` marks who did it. */
function useQuietFollow(): Follow {
  const navigate = useNavigate()
  return (event) => {
    const { button: pressed, metaKey, ctrlKey, shiftKey, altKey } = event
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (!link || pressed !== 0 || metaKey || ctrlKey || shiftKey || altKey) return
    event.preventDefault()
    const { href, dataset } = link
    const { pathname, search } = new URL(href)
    void navigate(pathname + search, {
      preventScrollReset: true,
      state: { opened: true },
      viewTransition:
        dataset.project !== undefined && !matchMedia('(prefers-reduced-motion: reduce)').matches,
    })
  }
}

/** Gives the focus back to the link of the project whose view was closed. */
function useFocusReturn(slug: string | undefined) {
  const last = useRef(slug)
  useEffect(() => {
    const closed = last.current
    last.current = slug
    if (slug || !closed) return
    document
      .querySelector<HTMLElement>(`a[data-project="${CSS.escape(closed)}"]`)
      ?.focus({ preventScroll: true })
  }, [slug])
}
