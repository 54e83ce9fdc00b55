import { createElement, memo, Suspense, use, useEffect, useRef, type ComponentType } from 'react'

/**
 * A component whose HTML comes from the server as usual and whose code the browser loads only when
 * it is near the viewport, or touched by pointer or keyboard. Until then React leaves the server's
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
      const touched = () => void start()
      const observer = new IntersectionObserver(
        (entries) => {
          if (entries.some(({ isIntersecting }) => isIntersecting)) touched()
        },
        { rootMargin: ahead },
      )
      observer.observe(element)
      const occasions = ['pointerover', 'focusin'] as const
      for (const name of occasions) element.addEventListener(name, touched)
      // A navigation renders everything anew, and would wait for this code without asking for it.
      const departures = ['pointerdown', 'keydown', 'click', 'departure'] as const
      for (const name of departures) addEventListener(name, touched, { once: true })
      return () => {
        observer.disconnect()
        for (const name of departures) removeEventListener(name, touched)
        for (const name of occasions) element.removeEventListener(name, touched)
      }
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
  if (!import.meta.env.SSR) whenIdle(start)
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
  let loading = false
  /** A failed import leaves the HTML as it is; the next occasion tries again. */
  const start = async () => {
    if (loading) return
    loading = true
    try {
      const value = await load()
      // React need not wait to learn what is known.
      void Object.assign(arrival, { status: 'fulfilled', value })
      arrive(value)
    } catch {
      loading = false
    }
  }
  // The server has every module at hand.
  if (import.meta.env.SSR) void start()

  function Arrived(props: Props) {
    return createElement(use(arrival), props)
  }
  return { Arrived, start }
}

/** What visitors do first; `departure` is the router's, for every navigation. */
const moves = ['pointermove', 'keydown', 'scroll', 'departure'] as const

function whenIdle(act: () => void) {
  for (const move of moves) addEventListener(move, act, { once: true, passive: true })
  setTimeout(act, 15_000)
}
