import { useNavigate } from 'react-router'
import { paths } from '#shared/paths.ts'
import { useStoredValue } from '../site/stored-value.ts'
import { Icon } from '../ui/icons.tsx'
import { loginKeys } from './login-keys.ts'
// The same button as the search's beside it, whose styles the shell has.
import styles from '../search/search-button.module.css'

/** Logs out; there only while the client login flag is present (docs/contract.md, Navigation). */
export function LogoutButton() {
  const isShown = Boolean(useStoredValue(loginKeys.flag))
  const navigate = useNavigate()
  // Most visitors never see the button, so what it does is loaded when it is pressed.
  const leave = async () => {
    await (await import('./signing.ts')).logOut()
    await navigate(paths.home())
  }
  if (!isShown) return null
  return (
    <button type="button" className={styles.open} aria-label="Log out" onClick={() => void leave()}>
      <Icon size={20}>
        <path d="M14 4H5v16h9M10 12h11m-5-5 5 5-5 5" />
      </Icon>
    </button>
  )
}
