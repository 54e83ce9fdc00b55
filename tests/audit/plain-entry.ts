import { createElement } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { PlainPage, type PlainContent } from './plain-page.ts'

declare global {
  /** What the server has rendered, in a script ahead of this one. */
  var plainContent: PlainContent
}

hydrateRoot(document, createElement(PlainPage, { content: globalThis.plainContent }))
