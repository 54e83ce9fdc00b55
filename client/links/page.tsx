import { lazy } from 'react'
import { useLoaderData } from 'react-router'
import { paths } from '#shared/paths.ts'
import { CodePrompt } from '../clients/code-prompt.tsx'
import { useSessionPage } from '../clients/use-session-page.ts'
import { Head } from '../site/head/head.tsx'
import { BrowserOnly } from '../ui/browser-only.tsx'
import { PageHead } from '../ui/page/page-head.tsx'
import type { FoundLinks, LinksData } from './loader.ts'

const Workspace = lazy(async () => ({ default: (await import('./workspace.tsx')).Workspace }))

/**
 * Short links (docs/contract.md, Short links): for staff the links, for everyone else the field
 * for a code.
 */
export function Component() {
  const { session, found } = useLoaderData<LinksData>()
  useSessionPage(session.signedIn ? session : null)
  return (
    <>
      <Head
        title="Short links"
        description="Short links for campaigns, posters and press kits."
        hidden
      />
      {found ? (
        <Staff found={found} />
      ) : (
        <CodePrompt
          title="Short links"
          lead={
            session.signedIn
              ? 'Your code doesn’t include short links. Sign in with a staff code.'
              : 'Short links for posters, press kits and campaigns. Sign in with a staff code.'
          }
          to={paths.shortLinks()}
        />
      )}
    </>
  )
}

const Staff = ({ found }: { found: FoundLinks }) => (
  <>
    <PageHead
      label="Staff tool"
      title="Short links"
      isResult
      lead="Short links for posters, press kits and stories. Bot clicks excluded."
    />
    <BrowserOnly>
      <Workspace found={found} />
    </BrowserOnly>
  </>
)
