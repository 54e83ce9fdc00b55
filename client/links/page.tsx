import { useLoaderData } from 'react-router'
import { paths } from '#shared/paths.ts'
import { Entrance } from '../clients/entrance.tsx'
import { useSessionPage } from '../clients/use-session-page.ts'
import { Head } from '../site/head.tsx'
import type { LinksData } from './loader.ts'
import { Workspace } from './workspace.tsx'

/** Short links (design 1.9): for staff the links, for everybody else the field for a code. */
export function Component() {
  const { session, found } = useLoaderData<LinksData>()
  useSessionPage(session.signedIn ? session : null)
  return (
    <>
      <Head
        title="Short links"
        description="Our own short addresses for campaigns, posters and press kits."
        hidden
      />
      {found ? (
        <Workspace found={found} />
      ) : (
        <Entrance
          title="Short links"
          lead={
            session.signedIn
              ? 'Your code opens other things, but not this. Short links are made by our own staff; enter a code that opens them.'
              : 'Short addresses for posters, press kits and campaigns. They are made by our own staff, whose code opens this page.'
          }
          to={paths.shortLinks()}
        />
      )}
    </>
  )
}
