import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
} from 'react'
import { Icon } from '../icons.tsx'
import styles from './lightbox.module.css'

type Props = {
  /** What is looked through, for screen readers. */
  label: string
  /** The name of what is shown now. */
  title: string
  /** From 0. */
  index: number
  count: number
  onMove: (index: number) => void
  onClose: () => void
  /** Where there are more: what leads to those before the first and after the last, and where it is. */
  more?: {
    onBefore: (() => void) | null
    onAfter: (() => void) | null
    /** From 0, of all. */
    index: number
    count: number
  }
  /** What is shown now. */
  children: ReactNode
  /** Stands below it. */
  footer?: ReactNode
  /** Stands above it, before the button that closes. */
  tools?: ReactNode
  /** Addresses of pictures that are likely to be next; fetched ahead. */
  ahead?: readonly string[]
  /** Small pictures of all, in order, to go to one directly; null for what has none. */
  strip?: readonly { label: string; src: string | null }[]
}

/** Pixels of a swipe that count as one. */
const far = 48

/** Milliseconds that a slideshow stays on a picture. */
const slideMs = 4000

/**
 * Looks through pictures and films one at a time, over the page: by buttons, arrow keys, Home, End
 * and swipes; Escape closes, and the focus goes back to where it was. The caller shows it only
 * while it is open.
 */
export function Lightbox({
  label,
  title,
  index,
  count,
  onMove,
  onClose,
  children,
  footer,
  tools,
  ahead = [],
  strip = [],
  more,
}: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const isShown = useRef(false)
  const move = (to: number) => {
    if (to < 0) more?.onBefore?.()
    else if (to >= count) more?.onAfter?.()
    else if (to !== index) onMove(to)
  }
  const isFirst = index === 0 && !more?.onBefore
  const isLast = index === count - 1 && !more?.onAfter
  // Before the effects of what is in it: the filmstrip can be scrolled only where it's shown.
  useLayoutEffect(() => {
    const element = dialog.current
    if (element && !element.open) element.showModal()
    isShown.current = true
    return () => {
      isShown.current = false
      // Gives the focus back.
      element?.close()
    }
  }, [])
  useFetchedAhead(ahead)
  const swipe = useSwipe((by) => move(index + by))
  const slideshow = useSlideshow(index, isLast, move)

  const onKeyDown = (event: KeyboardEvent) => {
    const to = destination(event, index, count)
    if (to === undefined) return
    event.preventDefault()
    slideshow.stop()
    move(to)
  }

  return (
    <dialog
      ref={dialog}
      aria-label={label}
      className={`night ${styles.lightbox}`}
      onKeyDown={onKeyDown}
      // The caller who has taken it away knows.
      onClose={() => isShown.current && onClose()}
    >
      <div className={styles.head}>
        <p className={styles.title} aria-live="polite">
          <Position index={more?.index ?? index} count={more?.count ?? count} />
          <strong>{title}</strong>
        </p>
        {tools}
        {count > 1 && (
          <IconButton
            label={slideshow.runs ? 'Stop the slideshow' : 'Play as a slideshow'}
            path={slideshow.runs ? 'M8 5v14M16 5v14' : 'm8 5 11 7-11 7z'}
            onClick={slideshow.runs ? slideshow.stop : slideshow.start}
          />
        )}
        <IconButton
          label="Close"
          path="m5 5 14 14M19 5 5 19"
          onClick={() => dialog.current?.close()}
        />
      </div>
      <div className={styles.stage} {...swipe}>
        {children}
        {count > 1 && (
          <>
            <IconButton
              label="Previous"
              path="m15 4-8 8 8 8"
              className={styles.back}
              isAtEnd={isFirst}
              onClick={() => move(index - 1)}
            />
            <IconButton
              label="Next"
              path="m9 4 8 8-8 8"
              className={styles.onwards}
              isAtEnd={isLast}
              onClick={() => move(index + 1)}
            />
          </>
        )}
      </div>
      {strip.length > 1 && <Filmstrip strip={strip} index={index} onMove={move} />}
      {footer && <div className={styles.footer}>{footer}</div>}
    </dialog>
  )
}

/** Where a key leads to; undefined for one that moves nothing. */
function destination(event: KeyboardEvent, index: number, count: number): number | undefined {
  const { target, key, metaKey, ctrlKey, altKey } = event
  // Arrows are for the text, the film or the enlarged picture that has the focus.
  const own = 'input, textarea, video, audio, [data-zoomed]'
  if (target instanceof Element && target.closest(own)) return undefined
  if (metaKey || ctrlKey || altKey) return undefined
  return { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: count - 1 }[key]
}

/** Which of how many. */
function Position({ index, count }: { index: number; count: number }) {
  return (
    <span className={styles.count}>
      <span className="unseen">Item </span>
      {index + 1}
      <span aria-hidden="true"> / </span>
      <span className="unseen"> of </span>
      {count}
    </span>
  )
}

/**
 * A button of the dialog. One that leads no further stays, and keeps the focus that keys need.
 * @param props `path` draws its sign
 */
function IconButton({
  label,
  path,
  className,
  isAtEnd,
  onClick,
}: {
  label: string
  path: string
  className?: string
  isAtEnd?: boolean
  onClick: () => void
}) {
  return (
    <button
      type="button"
      className={className ? `${styles.button} ${className}` : styles.button}
      aria-label={label}
      aria-disabled={isAtEnd || undefined}
      onClick={onClick}
    >
      <Icon>
        <path d={path} />
      </Icon>
    </button>
  )
}

/** Handlers that tell a swipe to the side from a scroll or a pinch. */
function useSwipe(onSwipe: (by: 1 | -1) => void) {
  const start = useRef<{ id: number; x: number; y: number } | null>(null)
  return {
    onPointerDown({ pointerType, pointerId, clientX, clientY, isPrimary, target }: PointerEvent) {
      const isZoomed = target instanceof Element && target.closest('[data-zoomed]') !== null
      // A second finger makes it a pinch.
      start.current =
        pointerType !== 'mouse' && isPrimary && !isZoomed
          ? { id: pointerId, x: clientX, y: clientY }
          : null
    },
    onPointerUp({ pointerId, clientX, clientY }: PointerEvent) {
      const from = start.current
      start.current = null
      if (from?.id !== pointerId) return
      const [x, y] = [clientX - from.x, clientY - from.y]
      if (Math.abs(x) > far && Math.abs(x) > 1.5 * Math.abs(y)) onSwipe(x < 0 ? 1 : -1)
    },
    onPointerCancel() {
      start.current = null
    },
  }
}

function useFetchedAhead(addresses: readonly string[]) {
  const key = addresses.join('\n')
  useEffect(() => {
    for (const address of key.split('\n')) if (address) new Image().src = address
  }, [key])
}

/** Moves on every few seconds while it runs; ends with the last one. */
function useSlideshow(index: number, isLast: boolean, move: (to: number) => void) {
  const [isOn, setOn] = useState(false)
  const runs = isOn && !isLast
  const next = useRef(move)
  useEffect(() => {
    next.current = move
  })
  useEffect(() => {
    if (!runs) return undefined
    const timer = setTimeout(() => next.current(index + 1), slideMs)
    return () => clearTimeout(timer)
  }, [runs, index])
  return {
    runs,
    start() {
      if (isLast) move(0)
      setOn(true)
    },
    stop: () => setOn(false),
  }
}

/** Small pictures of all in a row, which keeps the one that is shown in sight. */
function Filmstrip({
  strip,
  index,
  onMove,
}: {
  strip: NonNullable<Props['strip']>
  index: number
  onMove: (to: number) => void
}) {
  const row = useRef<HTMLUListElement>(null)
  useEffect(() => {
    row.current?.children[index]?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [index])
  return (
    <ul ref={row} className={styles.strip} aria-label="All files on this page">
      {strip.map(({ label, src }, at) => (
        <li key={`${at}-${label}`}>
          <button
            type="button"
            aria-label={label}
            aria-current={at === index}
            onClick={() => onMove(at)}
          >
            {src && <img src={src} alt="" loading="lazy" decoding="async" />}
          </button>
        </li>
      ))}
    </ul>
  )
}

/**
 * A picture that fits its box, and at a double click or by its button is shown pixel by pixel, to
 * be moved by scrolling.
 */
export function ZoomablePicture({ children, label }: { children: ReactNode; label: string }) {
  const [isZoomed, setZoomed] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const place = useRef({ x: 0.5, y: 0.5 })
  useEffect(() => {
    const { current } = box
    if (!isZoomed || !current) return
    const { scrollWidth, scrollHeight, clientWidth, clientHeight } = current
    current.scrollTo(
      place.current.x * scrollWidth - clientWidth / 2,
      place.current.y * scrollHeight - clientHeight / 2,
    )
  }, [isZoomed])
  const onDoubleClick = ({ clientX, clientY, target }: MouseEvent) => {
    const { left, top, width, height } = (target as Element).getBoundingClientRect()
    place.current = { x: (clientX - left) / width, y: (clientY - top) / height }
    setZoomed(!isZoomed)
  }
  return (
    <>
      <div
        ref={box}
        className={styles.zoom}
        data-zoomed={isZoomed ? '' : undefined}
        onDoubleClick={onDoubleClick}
        {...(isZoomed && { tabIndex: 0, role: 'group', 'aria-label': `${label}, enlarged` })}
      >
        {children}
      </div>
      <button
        type="button"
        className={styles.zoomButton}
        aria-pressed={isZoomed}
        onClick={() => {
          place.current = { x: 0.5, y: 0.5 }
          setZoomed(!isZoomed)
        }}
      >
        100 %
      </button>
    </>
  )
}
