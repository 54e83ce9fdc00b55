import { matchRoutes, type RouteObject } from 'react-router'
import type { PageId } from '#shared/paths.ts'
import type { Page } from '../pages.ts'

type Code = {
  pages: () => Promise<{ pages: Readonly<Record<PageId, Page>> }>
  api: () => Promise<unknown>
}

/**
 * Loads what sends a form as soon as someone is in one of its fields: the first page has come without
 * it, and by the time the form is sent the network may be gone. Without its code nothing could say so
 * in addition to what was typed.
 */
export function prepareToSend(routes: RouteObject[], code: Code): void {
  document.addEventListener('focusin', ({ target }) => {
    const form = target instanceof Element ? target.closest('form') : null
    if (form?.method !== 'post') return
    const { pathname } = new URL(form.action)
    const id = matchRoutes(routes, pathname)?.at(-1)?.route.id as PageId | undefined
    // It only costs the head start.
    if (id) void loadAction(id, code).catch(() => {})
  })
}

async function loadAction(id: PageId, code: Code): Promise<void> {
  const { pages } = await code.pages()
  const action = pages[id]?.action
  if (action) await Promise.all([action(), code.api()])
}
