import { useRef, useState } from 'react'

/** What moves a strip of slides. */
export type Carousel = ReturnType<typeof useCarousel>

/** A strip of slides as wide as itself, and which of them is seen. */
export function useCarousel(count: number) {
  const strip = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState(0)
  return {
    strip,
    current,
    /** Shows a slide; beyond either end it goes on at the other. */
    go(to: number) {
      const element = strip.current
      if (!element || count === 0) return
      const index = (to + count) % count
      const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
      // A way across all the others would be dizzying.
      const near = Math.abs(index - current) === 1
      setCurrent(index)
      element.scrollTo({
        left: index * element.clientWidth,
        behavior: near && !calm ? 'smooth' : 'instant',
      })
    },
    onScroll() {
      const { scrollLeft = 0, clientWidth = 1 } = strip.current ?? {}
      const index = Math.round(scrollLeft / clientWidth)
      if (Math.abs(scrollLeft - index * clientWidth) < 2) setCurrent(index)
    },
  }
}
