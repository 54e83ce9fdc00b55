import { useEffect, useRef, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react'
import { Icon } from './icons.tsx'
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
  /** What is shown now. */
  children: ReactNode
  /** Stands below it. */
  footer?: ReactNode
  /** Stands above it, before the button that closes. */
  tools?: ReactNode
  /** Addresses of pictures that are likely to be next; fetched ahead. */
  ahead?: readonly string[]
}

/** Pixels of a swipe that count as one. */
const far = 48

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
}: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const move = (to: number) => {
    if (to >= 0 && to < count && to !== index) onMove(to)
  }
  useEffect(() => {
    const element = dialog.current
    if (element && !element.open) element.showModal()
    return () => element?.close()
  }, [])
  useFetchedAhead(ahead)
  const swipe = useSwipe((by) => move(index + by))

  const onKeyDown = (event: KeyboardEvent) => {
    const to = destination(event, index, count)
    if (to === undefined) return
    event.preventDefault()
    move(to)
  }

  return (
    <dialog
      ref={dialog}
      aria-label={label}
      className={`night ${styles.lightbox}`}
      onKeyDown={onKeyDown}
      onClose={onClose}
    >
      <div className={styles.head}>
        <p className={styles.title} aria-live="polite">
          <Position index={index} count={count} />
          <strong>{title}</strong>
        </p>
        {tools}
        <IconButton label="Close" path="m5 5 14 14M19 5 5 19" onClick={onClose} />
      </div>
      <div className={styles.stage} {...swipe}>
        {children}
        {count > 1 && (
          <>
            <IconButton
              label="Previous"
              path="m15 4-8 8 8 8"
              className={styles.back}
              isAtEnd={index === 0}
              onClick={() => move(index - 1)}
            />
            <IconButton
              label="Next"
              path="m9 4 8 8-8 8"
              className={styles.onwards}
              isAtEnd={index === count - 1}
              onClick={() => move(index + 1)}
            />
          </>
        )}
      </div>
      {footer && <div className={styles.footer}>{footer}</div>}
    </dialog>
  )
}

/** Where a key leads to; undefined for one that moves nothing. */
function destination(event: KeyboardEvent, index: number, count: number): number | undefined {
  const { target, key, metaKey, ctrlKey, altKey } = event
  // Arrows belong to the text or the film that has the focus.
  if (target instanceof Element && target.closest('input, textarea, video, audio')) return undefined
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
    onPointerDown({ pointerType, pointerId, clientX, clientY, isPrimary }: PointerEvent) {
      // A second finger makes it a pinch.
      start.current =
        pointerType !== 'mouse' && isPrimary ? { id: pointerId, x: clientX, y: clientY } : null
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
