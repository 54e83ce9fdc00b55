import { useLocation, useNavigate } from 'react-router'
import { paths } from '#shared/paths.ts'
import { loginKeys } from '../clients/login-keys.ts'
import { logOut } from '../clients/signing.ts'
import { useSignedIn } from '../clients/use-signed-in.ts'
import styles from './header/header.module.css'
import { useIdentity } from './data/identity.ts'
import { Logo } from './header/logo.tsx'
import { useStoredValue } from './stored-value.ts'
import { ThemeToggle } from './theme/theme-toggle.tsx'

/** What the tool at a path is called, for visitors who aren’t signed in. */
const names: readonly [path: string, name: string][] = [
  [paths.panel(), 'Client panel'],
  [paths.folder(''), 'Private gallery'],
  [paths.desk(), 'Desk'],
  [paths.shortLinks(), 'Short links'],
  [paths.logs(), 'Log viewer'],
  [paths.booking(), 'Booking'],
  [paths.orderPage(), 'Order'],
  [paths.ticket(''), 'Ticket'],
]

/**
 * The bar above pages that someone works with: the brand, whose page it is, the tools that a signed
 * in visitor may open, and the way out; nothing that advertises.
 */
export function ToolBar() {
  const { pathname } = useLocation()
  const { brand } = useIdentity()
  const user = useSignedIn()
  const tools = user ? toolsOf(user.scopes) : []
  const current = tools.find(({ href }) => pathname.startsWith(href))
  // One that leads to where it is isn't a tool.
  const isShown = tools.some((tool) => tool !== current)
  return (
    <header
      className={`${styles.bar} ${styles.slim}`}
      data-solid=""
      data-tools={tools.length > 1 ? '' : undefined}
    >
      <div className={`wrap ${styles.inner}`}>
        <a href={paths.home()} className={styles.home} aria-label={`${brand}, home page`}>
          <Logo brand={brand} />
        </a>
        <p className={styles.whose}>
          {user?.name ? (
            <a href={paths.panel()}>{user.name}</a>
          ) : (
            names.find(([path]) => pathname.startsWith(path))?.[1]
          )}
        </p>
        {isShown && (
          <nav aria-label="Tools" className={styles.own}>
            <ul>
              {tools.map((tool) => (
                <li key={tool.href}>
                  <a href={tool.href} aria-current={tool === current ? 'page' : undefined}>
                    {tool.title}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        )}
        <div className={styles.tools}>
          <ThemeToggle />
          <LogOut isSignedIn={user !== null} />
        </div>
      </div>
    </header>
  )
}

/** The tools that a code opens, with the visitor's own panel first. */
const toolsOf = (scopes: readonly string[]) => [
  { title: 'Panel', href: paths.panel() },
  ...(scopes.includes('desk') ? [{ title: 'Desk', href: paths.desk() }] : []),
  ...(scopes.includes('links') ? [{ title: 'Short links', href: paths.shortLinks() }] : []),
  ...(scopes.includes('ops') ? [{ title: 'Log', href: paths.logs() }] : []),
]

/** Works without scripts, too; there while someone is signed in, as the server or the flag says. */
function LogOut({ isSignedIn }: { isSignedIn: boolean }) {
  const isFlagged = Boolean(useStoredValue(loginKeys.flag))
  const navigate = useNavigate()
  if (!isSignedIn && !isFlagged) return null
  return (
    <form
      method="post"
      action="/api/logout"
      onSubmit={(event) => {
        event.preventDefault()
        void logOut().then(() => navigate(paths.home()))
      }}
    >
      <button className={styles.leave}>Log out</button>
    </form>
  )
}
