import { useLoaderData } from 'react-router'
import { Head } from '../site/head/head.tsx'
import { staticPart } from '../site/static-part.tsx'
import type { CaseData } from './case-loader.ts'
import { Film } from './film.tsx'

const CaseHead = staticPart(() => import('./case-head.static.tsx'))
const CaseWork = staticPart(() => import('./case-work.static.tsx'))
const AfterCase = staticPart(() => import('./case-after.static.tsx'))

/** A case: the work, for whom, in numbers, and the next one. */
export function Component() {
  const project = useLoaderData<CaseData>()
  const { slug, title, description, client, film } = project
  return (
    <div key={slug}>
      <Head
        title={client ? `${title} — ${client}` : title}
        description={description}
        image={project.shared}
      />
      <article>
        <CaseHead project={project} />
        {film && <Film film={film} title={title} />}
        <CaseWork project={project} />
      </article>
      <AfterCase project={project} />
    </div>
  )
}
