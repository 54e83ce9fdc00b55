import { lazy, useEffect, useRef } from 'react'
import { useLoaderData } from 'react-router'
import type { FolderView } from '#shared/folders/folders.ts'
import { useSessionPage } from '../clients/use-session-page.ts'
import { Head } from '../site/head/head.tsx'
import type * as Closed from './closed-folder.rest.tsx'
import { OpenFolder } from './open-folder.tsx'

const loadClosed = () => import('./closed-folder.rest.tsx')

let closed: typeof Closed | undefined

/** Whether the page that the server has written is that of a closed folder. */
const isClosedHere = () => document.querySelector('[data-folder="closed"]') !== null

/**
 * The code of a folder that isn't open, without which most visitors do: the server has it, and so has a
 * browser that was sent such a page. Elsewhere it comes once it is needed.
 */
export const rest = (async () => {
  if (import.meta.env.SSR || isClosedHere()) closed = await loadClosed()
})()
if (import.meta.env.SSR) await rest

const LateClosed = lazy(async () => ({ default: (await loadClosed()).ClosedFolder }))

/** The page of a shared folder, in whatever state it is. */
export function Component() {
  const view = useLoaderData<FolderView>()
  useSessionPage(null)
  useBeginningOnClosing(view.state === 'open')
  if (view.state === 'open') {
    return (
      <>
        <Head title={view.title} description="A private gallery." hidden />
        <OpenFolder folder={view} />
      </>
    )
  }
  const ClosedFolder = closed?.ClosedFolder ?? LateClosed
  return <ClosedFolder view={view} />
}

/** Shows the form that takes an open gallery's place from its beginning, however far down anyone was. */
function useBeginningOnClosing(isOpen: boolean): void {
  const wasOpen = useRef(isOpen)
  useEffect(() => {
    if (wasOpen.current && !isOpen) scrollTo({ top: 0, behavior: 'instant' })
    wasOpen.current = isOpen
  }, [isOpen])
}
