import { useNavigate } from 'react-router'
import { paths } from '#shared/paths.ts'
import button from '../ui/button.module.css'
import { logOut } from './signing.ts'

/** A logout button inside a page; it works without scripts, too. */
export function LogOut() {
  const navigate = useNavigate()
  return (
    <form
      method="post"
      action="/api/logout"
      onSubmit={(event) => {
        event.preventDefault()
        void logOut().then(() => navigate(paths.home()))
      }}
    >
      <button className={`${button.button} ${button.quiet} ${button.small}`}>Sign out</button>
    </form>
  )
}
