import { useLoaderData } from 'react-router'
import { paths } from '#shared/paths.ts'
import { breadcrumbs, creativeWork } from '#shared/seo.ts'
import { Head } from '../site/head/head.tsx'
import { StructuredData } from '../site/head/structured-data.tsx'
import { Breadcrumbs } from '../ui/page/breadcrumbs.tsx'
import button from '../ui/button.module.css'
import { CallToAction } from '../ui/page/call-to-action.tsx'
import { Facts } from '../ui/lists/facts.tsx'
import { ArrowIcon } from '../ui/icons.tsx'
import { Picture, type ShownPicture } from '../ui/pictures/picture.tsx'
import { Quote } from '../ui/text/quote.tsx'
import type { CaseData } from './case-loader.ts'
import styles from './case-page.module.css'
import { Film } from './film.tsx'

/** A case: the work, for whom, in numbers, and the next one. */
export function Component() {
  const project = useLoaderData<CaseData>()
  const { slug, title, description, client, discipline, year, numbers, credits, quote } = project
  const [lead, ...rest] = project.pictures
  return (
    <div key={slug}>
      <Head
        title={client ? `${title} — ${client}` : title}
        description={description}
        image={project.shared}
      />
      <article>
        <header className={`wrap ${styles.head}`}>
          <Breadcrumbs trail={[{ title: 'Portfolio', href: paths.portfolio() }]} />
          <h1 data-long={title.length > 20 ? '' : undefined}>{title}</h1>
          <p className={styles.line}>{[client, discipline, year].filter(Boolean).join(' · ')}</p>
        </header>
        {lead && (
          <div className={styles.lead} data-lead="">
            <Picture picture={lead} sizes="100vw" narrowSizes="max(100vw, 62svh)" first />
          </div>
        )}
        <div className={`wrap ${styles.story}`}>
          <div className={styles.text}>
            <p className={styles.description}>{description}</p>
            {project.videoUrl && (
              <a href={project.videoUrl} className={button.arrow} rel="noopener">
                <span>Watch the film</span> <ArrowIcon />
              </a>
            )}
          </div>
          <Facts
            className={styles.facts}
            facts={[
              ['Client', client],
              ['Event', project.event],
              ['Series', project.series],
              ['Place', project.location],
              [
                'Service',
                project.service && (
                  <a key="service" href={project.service.path}>
                    {project.service.title}
                  </a>
                ),
              ],
            ]}
          />
        </div>
        {project.film && <Film film={project.film} title={title} />}
        {numbers.length > 0 && (
          <dl className={`wrap ${styles.numbers}`}>
            {numbers.map(({ value, label }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        )}
        <Pictures pictures={rest.slice(0, 2)} />
        {quote && (
          <div className={`night ${styles.said}`}>
            <div className="wrap">
              <Quote said={quote} className={styles.quote} />
            </div>
          </div>
        )}
        <Pictures pictures={rest.slice(2)} />
        {credits.length > 0 && (
          <section className={`wrap ${styles.credits}`} aria-labelledby="credits-title">
            <h2 id="credits-title">Credits</h2>
            <Facts facts={credits.map(({ role, name }) => [role, name] as const)} />
          </section>
        )}
      </article>
      {project.next && <NextCase next={project.next} />}
      <CallToAction
        title="Yours could be next"
        text="Tell us what you race, run or sponsor, and what you need from the photos."
        subject={`A project like “${title}”`}
      >
        <a href={paths.portfolio()} className={`${button.button} ${button.quiet}`}>
          All work
        </a>
      </CallToAction>
      <StructuredData
        things={
          import.meta.env.SSR
            ? (publisher) => [
                creativeWork({ ...project, image: project.shared?.url ?? null }, publisher),
                breadcrumbs(
                  [
                    { name: 'Portfolio', path: paths.portfolio() },
                    { name: title, path: paths.project(slug) },
                  ],
                  publisher,
                ),
              ]
            : null
        }
      />
    </div>
  )
}

/** Pictures in a changing rhythm, each in its own shape. */
function Pictures({ pictures }: { pictures: readonly ShownPicture[] }) {
  if (pictures.length === 0) return null
  return (
    <div className={styles.pictures}>
      {pictures.map((picture) => (
        <figure
          key={picture.src}
          data-upright={(picture.height ?? 0) > (picture.width ?? 0) ? '' : undefined}
        >
          <Picture picture={picture} sizes="(width < 48rem) 100vw, 66vw" />
        </figure>
      ))}
    </div>
  )
}

function NextCase({ next }: { next: NonNullable<CaseData['next']> }) {
  const { slug, title, client, picture } = next
  return (
    <nav className={`night ${styles.next}`} aria-label="Next case">
      <a href={paths.project(slug)} rel="next">
        {picture && (
          <Picture
            picture={picture}
            alt=""
            sizes="max(100vw, 93svh)"
            narrowSizes="max(100vw, 50svh)"
          />
        )}
        <span className={`wrap ${styles.nextWords}`}>
          <span className="label">Next case</span>
          <strong>{title}</strong>
          {client && <span>{client}</span>}
        </span>
      </a>
    </nav>
  )
}
