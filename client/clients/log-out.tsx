import { useNavigate } from 'react-router'
import { paths } from '#shared/paths.ts'
import button from '../ui/button.module.css'
import { logOut, logOutEverywhere } from './signing.ts'

/**
 * A logout button inside a page, named otherwise than the header’s “Log out”; it works without scripts, too.
 * @param props `isEverywhere` for one that ends the sessions of all who use the code
 */
export function LogOut({ isEverywhere = false }: { isEverywhere?: boolean }) {
  const navigate = useNavigate()
  return (
    <form
      method="post"
      action={isEverywhere ? logOutEverywhere : '/api/logout'}
      onSubmit={(event) => {
        event.preventDefault()
        void logOut(isEverywhere).then(() => navigate(paths.home()))
      }}
    >
      <button className={`${button.button} ${button.quiet} ${button.small}`}>
        {isEverywhere ? 'End all sessions' : 'Sign out'}
      </button>
    </form>
  )
}
