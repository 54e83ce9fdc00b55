import { redirect, type LoaderFunctionArgs } from 'react-router'
import { shareImage } from '#shared/seo/share-image.ts'
import { getProject, listPortfolio } from '#shared/portfolio.ts'
import { siteOf, type Site } from '../site/data/loading.ts'
import { readOptional } from '../site/data/optional-read.ts'
import { shownPicture } from '../ui/pictures/shown-picture.ts'
import { withQuery } from './address.ts'
import { projectPreview } from './preview.ts'

/** A page of the portfolio under its filters, and the project whose view is open. */
export async function loader(args: LoaderFunctionArgs) {
  const site = siteOf(args)
  const { search, searchParams: query } = new URL(args.request.url)
  const value = (name: string) => query.get(name) ?? undefined
  const [portfolio, project] = await Promise.all([
    readOptional(
      site,
      site.api(listPortfolio, {
        discipline: value('discipline'),
        service: value('service'),
        series: value('series'),
        year: value('year'),
        page: value('page'),
      }),
    ),
    readProject(site, query.get('project')),
  ])
  if (project && 'movedTo' in project)
    throw redirect(withQuery(search, { project: project.movedTo }), 301)
  return {
    portfolio: portfolio && {
      ...portfolio,
      projects: portfolio.projects.map((each, index) => projectPreview(each, index === 0)),
    },
    project,
  }
}

async function readProject(site: Site, slug: string | null) {
  if (slug === null) return null
  const found = await readOptional(site, site.api(getProject, { slug }))
  if (!found || 'movedTo' in found) return found
  const { picture, pictures, film: _film, ...project } = found
  return {
    ...project,
    shared: picture && shareImage(picture),
    pictures: pictures.flatMap((each) => shownPicture(each) ?? []),
  }
}

/** The data of the portfolio. */
export type PortfolioData = Awaited<ReturnType<typeof loader>>

/** A project as its view shows it. */
export type ShownProject = NonNullable<PortfolioData['project']>
