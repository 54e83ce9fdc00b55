import { use, useRef, type MouseEvent, type ReactNode, type RefObject } from 'react'
import { useLocation } from 'react-router'
import { paths } from '#shared/paths.ts'
import { SearchButton } from '../../search/search-button.tsx'
import { CartLink } from '../../shop/cart/cart-link.tsx'
import button from '../../ui/button.module.css'
import { Icon } from '../../ui/icons.tsx'
import { useCloseOnStep } from '../../ui/use-close-on-step.ts'
import { DeferredContext } from '../deferred.tsx'
import styles from './header.module.css'
import { useIdentity, useSite } from '../data/identity.ts'
import { Logo } from './logo.tsx'
import type { MenuEntry } from './menu.ts'
import { ThemeToggle } from '../theme/theme-toggle.tsx'

const menuId = 'site-menu'

/** Pages whose bar always has its own ground (docs/contract.md, Navigation). */
const alwaysSolid: readonly string[] = [
  paths.portfolio(),
  paths.clientZone(),
  paths.service('videography'),
]

/** A link, or a button with its command as the browser understood it. */
type Pressed = Element & { command?: string }

/** The navigation bar (docs/contract.md, Navigation). */
export function Header() {
  const menu = useRef<HTMLDialogElement>(null)
  const { pathname } = useLocation()
  const { entries, booking } = useSite()!.navigation
  const { brand } = useIdentity()
  const code = use(DeferredContext)
  useCloseOnStep(menu)

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
          {code && <code.LogoutButton />}
          {booking && <BookNow {...booking} />}
          <button
            type="button"
            className={styles.open}
            aria-label="Open menu"
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
      <Menu ref={menu} brand={brand}>
        <ol>
          <Entries entries={entries} current={pathname} />
        </ol>
        {booking && <BookNow {...booking} />}
      </Menu>
    </header>
  )
}

/** The menu of narrow windows, over the whole of them. */
function Menu({
  ref,
  brand,
  children,
}: {
  ref: RefObject<HTMLDialogElement | null>
  brand: string
  children: ReactNode
}) {
  /** Closes the menu after a press of what is in it, unless the button's own command does. */
  const leave = ({ target }: MouseEvent) => {
    const pressed = (target as Element).closest<Pressed>('a, button')
    if (pressed && !pressed.command) ref.current?.close()
  }

  return (
    // The keyboard presses its links and buttons as well, so a click is all there is to hear.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={ref}
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
          aria-label="Close menu"
          {...{ command: 'close', commandfor: menuId }}
        >
          <Icon>
            <path d="m5 5 14 14M19 5 5 19" />
          </Icon>
        </button>
      </div>
      <nav aria-label="Mobile" className="wrap">
        {children}
      </nav>
    </dialog>
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

const BookNow = ({ href, contact }: Pick<MenuEntry, 'href' | 'contact'>) => (
  <a
    href={href}
    data-contact={contact ? '' : undefined}
    className={`${button.button} ${button.small} ${styles.book}`}
  >
    Book Now
  </a>
)
