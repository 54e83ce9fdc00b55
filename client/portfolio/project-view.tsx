import { useEffect, useRef, type KeyboardEvent } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { Icon } from '../ui/icons.tsx'
import type { ShownProject } from './loader.ts'
import { ProjectPictures } from './project-pictures.tsx'
import { ProjectText } from './project-text.tsx'
import styles from './project-view.module.css'
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
  const { title, pictures } = project
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const carousel = useCarousel(pictures.length)
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
    carousel.go(carousel.current + step)
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
      <ProjectPictures title={title} pictures={pictures} carousel={carousel} />
      <ProjectText project={project} heading={heading} onAsk={() => dialog.current?.close()} />
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
