import { useLoaderData } from 'react-router'
import type { FolderView } from '#shared/folders/folders.ts'
import { CodePrompt } from '../clients/code-prompt.tsx'
import { useSessionPage } from '../clients/use-session-page.ts'
import { useSignedIn } from '../clients/use-signed-in.ts'
import { Head } from '../site/head/head.tsx'
import { Locked } from './locked.tsx'
import { OpenFolder } from './open-folder.tsx'
import { Problem } from './problem.tsx'

/** The page of a shared folder, in whatever state it is. */
export function Component() {
  const view = useLoaderData<FolderView>()
  useSessionPage(null)
  switch (view.state) {
    case 'open':
      return (
        <>
          <Head title={view.title} description="A private gallery." hidden />
          <OpenFolder folder={view} />
        </>
      )
    case 'locked':
      return (
        <>
          <Head title="Gallery" description="A private gallery." hidden />
          {view.by === 'code' ? <Barred to={view.to} /> : <Locked folder={view} />}
        </>
      )
    default:
      return <Problem problem={view} />
  }
}

/** A folder that belongs to a client: his code opens it, and no one else's. */
function Barred({ to }: { to: string }) {
  const user = useSignedIn()
  return (
    <CodePrompt
      title="Sign in to view"
      lead={
        user
          ? `This gallery belongs to a client. You’re signed in as ${user.name}, whose code doesn’t open it: sign in with theirs.`
          : 'This gallery belongs to a client. Sign in with their code.'
      }
      to={to}
    />
  )
}
