import { useLoaderData } from 'react-router'
import type { FolderView } from '#shared/folders.ts'
import { CodePrompt } from '../clients/code-prompt.tsx'
import { Head } from '../site/head.tsx'
import { Locked } from './locked.tsx'
import { OpenFolder } from './open-folder.tsx'
import { Problem } from './problem.tsx'

/** The page of a shared folder, in whatever state it is. */
export function Component() {
  const view = useLoaderData<FolderView>()
  switch (view.state) {
    case 'open':
      return (
        <>
          <Head title={view.title} description="A shared folder." hidden />
          <OpenFolder folder={view} />
        </>
      )
    case 'locked':
      return (
        <>
          <Head title="Shared folder" description="A shared folder." hidden />
          {view.by === 'code' ? <Barred to={view.to} /> : <Locked folder={view} />}
        </>
      )
    default:
      return <Problem problem={view} />
  }
}

/** A folder that belongs to a client: his code opens it, and nobody else's. */
const Barred = ({ to }: { to: string }) => (
  <CodePrompt
    title="Parc fermé"
    lead="This folder belongs to one of our clients. The secret code of that client opens it."
    to={to}
  />
)
