import { useInRouterContext, useLocation } from 'react-router'
import { paths } from '#shared/paths.ts'
import { useSignedIn } from '../../clients/use-signed-in.ts'
import button from '../../ui/button.module.css'

/** Leads home, and before that to where someone works whose page isn't there: the desk, or their panel. */
export const WaysBack = ({ home }: { home: string }) =>
  // A page that broke as a whole is drawn without a router.
  useInRouterContext() ? <WithTool home={home} /> : <Home label={home} />

function WithTool({ home }: { home: string }) {
  const { pathname } = useLocation()
  const user = useSignedIn()
  const isAtDesk = pathname.startsWith(`${paths.desk()}/`)
  if (!isAtDesk && !user) return <Home label={home} />
  return (
    <>
      <a href={isAtDesk ? paths.desk() : paths.panel()} className={button.button}>
        {isAtDesk ? 'Back to the desk' : 'Back to your panel'}
      </a>
      <Home label={home} isQuiet />
    </>
  )
}

const Home = ({ label, isQuiet = false }: { label: string; isQuiet?: boolean }) => (
  <a href={paths.home()} className={`${button.button} ${isQuiet ? button.quiet : ''}`.trim()}>
    {label}
  </a>
)
