import { useLoaderData } from 'react-router'
import { Head } from '../site/head/head.tsx'
import { PanelView } from './panel-view.tsx'
import { CodePrompt } from './code-prompt.tsx'
import type { PanelData } from './panel-loader.ts'
import { useSessionPage } from './use-session-page.ts'
import { useSignedIn } from './use-signed-in.ts'

/**
 * A client's panel (docs/contract.md, Clients and panels), or the form: an unknown panel and
 * someone else's look the same.
 */
export function Component() {
  const { panel } = useLoaderData<PanelData>()
  useSessionPage(panel)
  const user = useSignedIn()
  return (
    <>
      <Head title={panel ? panel.name : 'Client panel'} description="A private page." hidden />
      {panel ? (
        <PanelView panel={panel} />
      ) : (
        <CodePrompt
          title="Your panel"
          lead={
            user
              ? `You’re signed in as ${user.name}, whose code doesn’t open this page. Enter the panel’s own code.`
              : 'Your season’s galleries, films and files. Enter the code we sent you.'
          }
        />
      )}
    </>
  )
}
