import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '#shared/paths.ts'
import { logError } from './log.ts'

/** Set while a visitor is on the way home to see the services (spec 2.4). */
export const scrollIntent = 'scrollToServices'

/** Addresses that the server answers without a page of ours. */
const foreign = /^\/(assets|api|items|functions|subscription|l|s)\/|\.\w+$/

/**
 * Follows links for the whole document, also those in parts whose code is not loaded yet and in
 * rich content: inside the site by the router, contact links by `openContact`.
 * @param openContact shows the contact modal; takes the subject that the link asks for
 */
export function useFollow(openContact: (subject: string) => Promise<void>) {
  const navigate = useNavigate()
  useEffect(() => {
    const follow = (event: MouseEvent) => {
      if (event.defaultPrevented || event.button !== 0) return
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
      const link = event.target instanceof Element ? event.target.closest('a') : null
      const book =
        event.target instanceof Element
          ? event.target.closest<HTMLElement>('button[data-contact]')
          : null
      if (book) {
        event.preventDefault()
        return void openContact(book.dataset.contact!)
      }
      if (!link?.href || link.target || link.hasAttribute('download')) return
      const { origin, pathname, search, hash } = new URL(link.href)
      if (origin !== location.origin || foreign.test(pathname)) return
      event.preventDefault()
      if (link.dataset.contact !== undefined) return void openContact(link.dataset.contact)
      if (hash) glide()
      if (pathname + hash === paths.services() && location.pathname !== pathname) {
        sessionStorage.setItem(scrollIntent, 'true')
        return void navigate(paths.home())
      }
      const here = pathname === location.pathname && search === location.search
      if (here && hash === '#top') return scrollTo(0, 0)
      // The fragment that stands in the address already is no news to the router.
      if (here && hash && hash === location.hash) show(hash.slice(1))
      else void navigate(pathname + search + hash)
      if (here && hash) enter(hash.slice(1))
    }
    // Hover and focus tell which service page comes next (spec 2.4).
    const foresee = ({ target }: Event) => {
      const link = target instanceof Element ? target.closest('a') : null
      if (link?.pathname.startsWith('/services/') && link.origin === location.origin) {
        import('./preload.ts').then(
          ({ preloadService }) => preloadService(link.pathname),
          () => logError('Failed to preload ServicePage'),
        )
      }
    }
    document.addEventListener('click', follow)
    document.addEventListener('pointerover', foresee)
    document.addEventListener('focusin', foresee)
    return () => {
      document.removeEventListener('click', follow)
      document.removeEventListener('pointerover', foresee)
      document.removeEventListener('focusin', foresee)
    }
  }, [navigate, openContact])
}

/** Scrolls smoothly to the element with an id, where motion is welcome. @returns whether it is there */
export function show(id: string): boolean {
  const element = document.getElementById(id)
  if (!element) return false
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

/** Makes the scrolling of the next second smooth; the style sheet minds reduced motion. */
function glide() {
  const { classList } = document.documentElement
  classList.add('smooth')
  setTimeout(() => classList.remove('smooth'), 1000)
}
