import type { FolderView, LockedFolder } from '#shared/folders/folders.ts'
import { CodePrompt } from '../clients/code-prompt.tsx'
import { useSignedIn } from '../clients/use-signed-in.ts'
import { Head } from '../site/head/head.tsx'
import { Locked, undoneTexts } from './locked.tsx'
import { Problem } from './problem.tsx'
import styles from './closed-folder.module.css'

/** A folder that asks for a password or a code, or can't be shown; `data-folder` tells `page.tsx`. */
export function ClosedFolder({ view }: { view: Exclude<FolderView, { state: 'open' }> }) {
  return (
    <div data-folder="closed" className={styles.closed}>
      {view.state === 'locked' ? (
        <>
          <Head title="Gallery" description="A private gallery." hidden />
          {view.by === 'code' ? <Barred folder={view} /> : <Locked folder={view} />}
        </>
      ) : (
        <Problem problem={view} />
      )}
    </div>
  )
}

/** A folder that belongs to a client: his code opens it, and no one else's. */
function Barred({ folder: { to, undone } }: { folder: LockedFolder }) {
  const user = useSignedIn()
  const lead = user
    ? `This gallery belongs to a client. You’re signed in as ${user.name}, whose code doesn’t open it: sign in with theirs.`
    : 'This gallery belongs to a client. Sign in with their code.'
  return (
    <CodePrompt
      title="Sign in to view"
      lead={undone ? `${undoneTexts[undone]} ${lead}` : lead}
      to={to}
    />
  )
}
