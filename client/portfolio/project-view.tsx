import { useEffect, useRef, type KeyboardEvent } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { paths } from '#shared/paths.ts'
import button from '../ui/button.module.css'
import { Facts } from '../ui/facts.tsx'
import { ArrowIcon, Icon } from '../ui/icons.tsx'
import type { ShownProject } from './loader.ts'
import styles from './project-view.module.css'
import { Slide } from './slide.tsx'
import { useCarousel } from './use-carousel.ts'

type Props = {
  project: ShownProject
  /** The address without the view. */
  back: string
}

/**
 * The view of a project: its pictures in a strip that moves by swipe, arrow keys and buttons, and
 * what the work was. It stands open in the server's HTML and becomes modal once its code is here.
 */
export function ProjectView({ project, back }: Props) {
  const { title, pictures, description, client, discipline, series, year, location, service } =
    project
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const { strip, current, go, onScroll } = useCarousel(pictures.length)
  const close = useClose(back)

  useEffect(() => {
    const element = dialog.current!
    // What is open without being modal cannot become modal.
    element.close()
    element.showModal()
    heading.current?.focus()
  }, [])

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    go(current + step)
  }

  return (
    <dialog
      ref={dialog}
      open
      className={`night ${styles.view}`}
      aria-labelledby="project-title"
      onKeyDown={onKeyDown}
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
    >
      <div className={styles.stage}>
        <div
          ref={strip}
          className={styles.strip}
          role="group"
          aria-label={`Pictures of ${title}`}
          // A scrolling region has to be reachable by keyboard.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          onScroll={onScroll}
        >
          {pictures.map((picture, index) => (
            <Slide key={picture.src} picture={picture} first={index === 0} />
          ))}
          {pictures.length === 0 && <div className={styles.none} />}
        </div>
        <div className={styles.tools}>
          <p role="status" className={styles.counter}>
            <span className="unseen">Picture </span>
            {current + 1} / {Math.max(1, pictures.length)}
            <span className="unseen">: {pictures[current]?.alt}</span>
          </p>
          {pictures.length > 1 && (
            <>
              <button
                type="button"
                className={styles.previous}
                aria-label="Previous picture"
                onClick={() => go(current - 1)}
              >
                <ArrowIcon />
              </button>
              <button type="button" aria-label="Next picture" onClick={() => go(current + 1)}>
                <ArrowIcon />
              </button>
            </>
          )}
        </div>
      </div>
      <div className={styles.words}>
        <p className={`label ${styles.meta}`}>{[discipline, year].filter(Boolean).join(' · ')}</p>
        <h1 ref={heading} id="project-title" tabIndex={-1}>
          {title}
        </h1>
        <p className={styles.description}>{description}</p>
        <Facts
          className={styles.facts}
          facts={[
            ['Client', client],
            ['Series', series],
            ['Place', location],
            [
              'Service',
              service && (
                <a key="service" href={service.path}>
                  {service.title}
                </a>
              ),
            ],
          ]}
        />
        <div className={styles.ways}>
          {project.videoUrl && (
            <a href={project.videoUrl} className={button.arrow} rel="noopener">
              <span>Watch the film</span> <ArrowIcon />
            </a>
          )}
          <a
            href={paths.contact()}
            data-contact={`Something like “${title}”`}
            className={`${button.button} ${button.small}`}
            onClick={() => dialog.current?.close()}
          >
            Ask for something like this
          </a>
        </div>
      </div>
      <a
        href={back}
        className={styles.close}
        aria-label="Close project"
        onClick={(event) => {
          event.preventDefault()
          close()
        }}
      >
        <Icon>
          <path d="m5 5 14 14M19 5 5 19" />
        </Icon>
      </a>
    </dialog>
  )
}

/** Closes as the browser's Back does where the grid is one step back, else by going to it. */
function useClose(back: string): () => void {
  const navigate = useNavigate()
  const { state } = useLocation() as { state: { opened?: boolean } | null }
  return () => {
    if (state?.opened) void navigate(-1)
    else void navigate(back, { replace: true, preventScrollReset: true })
  }
}
