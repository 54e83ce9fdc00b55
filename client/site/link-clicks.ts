import { useEffect } from 'react'
import { matchRoutes, useNavigate } from 'react-router'
import { pagePaths, paths } from '#shared/paths.ts'

/** Set while a visitor is on the way home to see the services (docs/contract.md, Navigation). */
export const scrollIntent = 'scrollToServices'

const pages = Object.values(pagePaths).map((path) => ({ path, caseSensitive: true }))

/** Whether there is a page of ours at a path; a name with an ending is that of a file. */
const isPage = (path: string) => !/\.\w{1,20}$/.test(path) && matchRoutes(pages, path) !== null

/** A press that a browser would answer with going there in another tab or window. */
const leadsElsewhere = ({ metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  metaKey || ctrlKey || shiftKey || altKey

/** The element that an event happened in, or the nearest one around it. */
function around(event: Event, selector: 'a'): HTMLAnchorElement | null
function around(event: Event, selector: string): HTMLElement | null
function around({ target }: Event, selector: string) {
  return target instanceof Element ? target.closest(selector) : null
}

/**
 * Follows links for the whole document, also those in parts that React has not come to yet and in
 * rich content: inside the site by the router, contact links by `openContact`.
 * @param openContact shows the contact modal; takes the subject that the link asks for
 */
export function useLinkClicks(openContact: (subject: string) => Promise<void>) {
  const navigate = useNavigate()
  useEffect(() => {
    const follow = (event: MouseEvent) => {
      if (event.defaultPrevented || leadsElsewhere(event)) return
      const link = around(event, 'a')
      if (!link?.href || link.target || link.hasAttribute('download')) return
      const { origin, pathname, search, hash } = new URL(link.href)
      if (origin !== location.origin || !isPage(pathname)) return
      event.preventDefault()
      if (hash) glide()
      if (pathname + hash === paths.services() && location.pathname !== pathname) {
        try {
          sessionStorage.setItem(scrollIntent, 'true')
          return void navigate(paths.home())
        } catch {
          // Storage may be closed to us; the fragment says it as well.
        }
      }
      const here = pathname === location.pathname && search === location.search
      if (here && hash === '#top') return scrollTo(0, 0)
      // The fragment that is in the address already is no news to the router.
      if (here && hash && hash === location.hash) show(hash.slice(1))
      else void navigate(pathname + search + hash)
      if (here && hash) enter(hash.slice(1))
    }
    const contact = (event: MouseEvent) => {
      const way = around(event, '[data-contact]')
      if (!way || leadsElsewhere(event)) return
      event.preventDefault()
      void openContact(way.dataset.contact!)
    }
    // Caught on its way down: React stops clicks on parts that it has not come to yet.
    addEventListener('click', contact, true)
    document.addEventListener('click', follow)
    return () => {
      removeEventListener('click', contact, true)
      document.removeEventListener('click', follow)
    }
  }, [navigate, openContact])
}

/** Scrolls smoothly to the element with an id, where motion is welcome. @returns whether it is there */
export function show(id: string): boolean {
  const element = document.getElementById(id)
  if (!element) return false
  // What is above it gets its height (client/inline/first.ts).
  document.documentElement.removeAttribute('data-layout-waits')
  glide()
  element.scrollIntoView()
  return true
}

/** Lets the keyboard go on from the element with an id, as a browser does after such a link. */
function enter(id: string) {
  const element = document.getElementById(id)
  if (!element) return
  element.tabIndex = -1
  element.focus({ preventScroll: true })
}

/** Makes scrolling smooth for the next second; the style sheet respects reduced motion. */
function glide() {
  const { classList } = document.documentElement
  classList.add('smooth')
  setTimeout(() => classList.remove('smooth'), 1000)
}
