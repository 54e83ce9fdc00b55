import { useRef, type MouseEvent } from 'react'
import { useLocation } from 'react-router'
import { paths } from '#shared/paths.ts'
import { LogoutButton } from '../clients/logout-button.tsx'
import { SearchButton } from '../search/search-button.tsx'
import { CartLink } from '../shop/cart-link.tsx'
import button from '../ui/button.module.css'
import { Icon } from '../ui/icons.tsx'
import styles from './header.module.css'
import { useIdentity, useSite } from './identity.ts'
import { Logo } from './logo.tsx'
import type { MenuEntry } from './menu.ts'
import { ThemeToggle } from './theme-toggle.tsx'

const menuId = 'site-menu'

/** Pages whose bar always has its own ground (spec 2.4). */
const alwaysSolid: readonly string[] = [
  paths.portfolio(),
  paths.clientZone(),
  paths.service('videography'),
]

/** A link, or a button with its command as the browser understood it. */
type Pressed = Element & { command?: string }

/** The navigation bar (spec 2.4). */
export function Header() {
  const menu = useRef<HTMLDialogElement>(null)
  const { pathname } = useLocation()
  const { entries, bookable } = useSite()!.navigation
  const { brand } = useIdentity()

  /** Closes the menu after a press of what stands in it, unless the button's own command does. */
  const leave = ({ target }: MouseEvent) => {
    const pressed = (target as Element).closest<Pressed>('a, button')
    if (pressed && !pressed.command) menu.current?.close()
  }

  return (
    <header className={styles.bar} data-solid={alwaysSolid.includes(pathname) ? '' : undefined}>
      <div className={`wrap ${styles.inner}`}>
        <a href={paths.home()} className={styles.home} aria-label={`${brand}, home page`}>
          <Logo brand={brand} />
        </a>
        <nav aria-label="Main" className={styles.wide}>
          <ul>
            <Entries entries={entries} current={pathname} />
          </ul>
        </nav>
        <div className={styles.tools}>
          <SearchButton />
          <ThemeToggle />
          <CartLink pathname={pathname} />
          <LogoutButton />
          {bookable && <BookNow />}
          <button
            type="button"
            className={styles.open}
            aria-label="Open the menu"
            aria-haspopup="dialog"
            // The commands work before the code is there; the handler where commands are unknown.
            {...{ command: 'show-modal', commandfor: menuId }}
            onClick={({ currentTarget }: { currentTarget: Pressed }) =>
              currentTarget.command || menu.current?.showModal()
            }
          >
            <Icon>
              <path d="M2 8h20M8 16h14" />
            </Icon>
          </button>
        </div>
      </div>
      {/* The keyboard presses its links and buttons as well, so a click is all there is to hear. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions */}
      <dialog
        ref={menu}
        id={menuId}
        className={`night ${styles.menu}`}
        aria-label="Menu"
        onClick={leave}
      >
        <div className={`wrap ${styles.inner}`}>
          <Logo brand={brand} />
          <button
            type="button"
            className={styles.open}
            aria-label="Close the menu"
            {...{ command: 'close', commandfor: menuId }}
          >
            <Icon>
              <path d="m5 5 14 14M19 5 5 19" />
            </Icon>
          </button>
        </div>
        <nav aria-label="Mobile" className="wrap">
          <ol>
            <Entries entries={entries} current={pathname} />
          </ol>
          {bookable && <BookNow />}
        </nav>
      </dialog>
    </header>
  )
}

function Entries({ entries, current }: { entries: readonly MenuEntry[]; current: string }) {
  return entries.map(({ title, href, contact }) => (
    <li key={title}>
      <a
        href={href}
        data-contact={contact ? '' : undefined}
        aria-current={href === current ? 'page' : undefined}
      >
        {title}
      </a>
    </li>
  ))
}

const BookNow = () => (
  <a href={paths.booking()} className={`${button.button} ${button.small} ${styles.book}`}>
    Book Now
  </a>
)
