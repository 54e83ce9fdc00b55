import { withQuery } from './address.ts'
import styles from './page.module.css'
import type { ProjectPreview } from './preview.ts'
import { ProjectLink } from './project-link.tsx'

/**
 * The projects of a page of the portfolio.
 * @param props `search` is the query of the address, which the links to views keep
 */
export const Component = ({
  projects,
  search,
}: {
  projects: readonly ProjectPreview[]
  search: string
}) => (
  <ul className={`wrap ${styles.grid}`}>
    {projects.map((project, index) => (
      <li key={project.slug}>
        <ProjectLink
          project={project}
          heading="h2"
          first={index === 0}
          sizes={`(width < 40rem) 91vw, (width < 60rem) 45vw, ${index % 5 < 2 ? '54vw' : '31vw'}`}
          href={withQuery(search, { project: project.slug })}
        />
      </li>
    ))}
  </ul>
)
