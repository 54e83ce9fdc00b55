import { createElement, memo, Suspense, use, useEffect, useRef, type ComponentType } from 'react'

/**
 * A component whose HTML comes from the server as usual and whose code the browser loads only when
 * it is near the viewport, or at the first press anywhere. Until then React leaves the server's
 * HTML alone. Its props must keep their identity, since it cannot be rendered anew before it is there.
 * Its module belongs to the `parts` of its page, so that the page comes with its styles.
 * @param load imports the component
 * @param ahead how far below the viewport it starts to load, so that it is there when it is seen
 */
export function lazily<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { ahead = '600px' } = {},
) {
  const { Arrived, start } = arriving(load)
  return memo(function Lazily(props: Props) {
    const place = useRef<HTMLDivElement>(null)
    useEffect(() => {
      const element = place.current
      if (!element) return undefined
      // Nothing came from the server when this page was navigated to.
      if (element.childElementCount === 0) void start()
      const observer = new IntersectionObserver(
        (entries) => {
          if (entries.some(({ isIntersecting }) => isIntersecting)) void start()
        },
        { rootMargin: ahead },
      )
      observer.observe(element)
      return () => observer.disconnect()
    }, [])
    return (
      <div ref={place}>
        <Suspense>
          <Arrived {...props} />
        </Suspense>
      </div>
    )
  })
}

/**
 * Like {@link lazily}, for what has no place in the viewport or may be needed at any moment: its
 * code is loaded with the visitor's first move, or once they have read for a while.
 * @param load imports the component
 * @param atOnce loads it as soon as it is rendered
 */
export function idly<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { atOnce = false } = {},
) {
  const { Arrived, start } = arriving(load)
  if (!import.meta.env.SSR) {
    when(['pointermove', 'scroll'], start)
    setTimeout(start, 15_000)
  }
  return memo(function Idly(props: Props) {
    useEffect(() => {
      if (atOnce) void start()
    }, [])
    return (
      <Suspense>
        <Arrived {...props} />
      </Suspense>
    )
  })
}

/** A component that suspends until its code is there, and what starts to load that. */
function arriving<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let arrive: (component: ComponentType<Props>) => void
  const arrival = new Promise<ComponentType<Props>>((resolve) => {
    arrive = resolve
  })
  let running: Promise<void> | undefined
  /** A failed import leaves the HTML as it is; the next occasion tries again. */
  const start = () =>
    (running ??= load().then(
      (value) => {
        // React need not wait to learn what is known.
        void Object.assign(arrival, { status: 'fulfilled', value })
        return arrive(value)
      },
      () => (running = undefined),
    ))
  sleeping.push(start)
  // The server has every module at hand.
  if (isAwake) void start()

  function Arrived(props: Props) {
    return createElement(use(arrival), props)
  }
  return { Arrived, start }
}

/** What loads each part that sleeps. */
const sleeping: (() => Promise<void>)[] = []
let isAwake = import.meta.env.SSR

/**
 * Loads every part that sleeps, and those that stand in one of them when it comes. A navigation
 * renders everything anew and would wait for such a part without asking for it, so whatever may
 * begin one does.
 */
export function awaken() {
  isAwake = true
  for (const start of sleeping) void start()
}

/** Acts on the first of some moves of the visitor. */
function when(moves: readonly string[], act: () => void) {
  for (const move of moves) addEventListener(move, act, { once: true })
}

if (!import.meta.env.SSR) when(['pointerdown', 'keydown', 'click'], awaken)
