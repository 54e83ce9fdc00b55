import { lazy } from 'react'
import { useLoaderData } from 'react-router'
import { paths } from '#shared/paths.ts'
import { CodePrompt } from '../clients/code-prompt.tsx'
import { useSessionPage } from '../clients/use-session-page.ts'
import { Head } from '../site/head.tsx'
import { BrowserOnly } from '../ui/browser-only.tsx'
import { PageHead } from '../ui/page-head.tsx'
import type { FoundLinks, LinksData } from './loader.ts'

const Workspace = lazy(async () => ({ default: (await import('./workspace.tsx')).Workspace }))

/**
 * Short links (docs/contract.md, Short links): for staff the links, for everybody else the field
 * for a code.
 */
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
        <Staff found={found} />
      ) : (
        <CodePrompt
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

const Staff = ({ found }: { found: FoundLinks }) => (
  <>
    <PageHead
      label="Staff tool"
      title="Short links"
      lead="One short address for a poster, a press kit or a story, and a count that leaves machines out."
    />
    <BrowserOnly>
      <Workspace found={found} />
    </BrowserOnly>
  </>
)
