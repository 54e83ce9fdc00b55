import { useEffect, useLayoutEffect } from 'react'
import { matchPath, useLocation, useNavigate } from 'react-router'
import { pagePaths } from '#shared/paths.ts'
import styles from './picture-transition.css?inline'

/** The only name that is ever given, to one picture of the old page and one of the new. */
const sharedName = 'picture'

/** What has the name now. */
let named: HTMLElement | null = null

function give(picture: HTMLElement | null) {
  if (named) named.style.viewTransitionName = ''
  named = picture
  if (picture) picture.style.viewTransitionName = sharedName
}

/**
 * Lets the picture of a project grow into that of its page or its view, where the browser can and
 * motion is welcome (docs/contract.md, Navigation). The place that it grows into is marked with
 * `data-lead`.
 */
export function usePictureTransition() {
  const navigate = useNavigate()
  const location = useLocation()
  useEffect(() => {
    if (!('startViewTransition' in document)) return undefined
    // Adopted by the code that needs them, so that no page asks for one more style sheet. No other code
    // adopts any.
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(styles)
    document.adoptedStyleSheets = [sheet]
    const over = new AbortController()
    const follow = (event: MouseEvent) => {
      const { target, button, metaKey, ctrlKey, shiftKey, altKey } = event
      const link = target instanceof Element ? target.closest('a') : null
      if (!link || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return
      if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
      const picture = (link.querySelector('img') ? link : link.closest('article'))?.querySelector(
        'img',
      )
      const isCase =
        link.origin === window.location.origin &&
        matchPath({ path: pagePaths.project, caseSensitive: true }, link.pathname) !== null
      if (!isCase && link.dataset.project === undefined) return
      give(picture ?? null)
      // The view of a project is opened by the portfolio itself.
      if (!isCase || link.pathname === window.location.pathname) return
      event.preventDefault()
      void navigate(link.pathname + link.search, { viewTransition: true })
    }
    // Before what follows all other links.
    document.addEventListener('click', follow, { capture: true, signal: over.signal })
    return () => over.abort()
  }, [navigate])
  // Before the browser looks at the new page, which another address brings.
  useLayoutEffect(() => {
    if (named && location.key !== '') give(document.querySelector('[data-lead] img'))
  }, [location])
}
