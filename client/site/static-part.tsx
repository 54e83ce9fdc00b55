import { lazy, useState, type ComponentType } from 'react'
import { useHydrating } from '../ui/use-hydrated.ts'
import { unknownIdentity, useIdentity } from './data/identity.ts'
import { loadCode } from './errors/page-code.ts'
import styles from './static-part.module.css'

/** Whether the code of the page that the server has written is there. */
let isFirstPageThere = false

/** From now on, pages are navigated to, and the code of their static parts comes along with theirs. */
export const loadStaticParts = (): void => {
  isFirstPageThere = true
}

/**
 * A part of a page that never changes once it is rendered. In a page from the server the browser
 * leaves it as it is: it neither loads its code nor hydrates it. In a page navigated to it is
 * rendered as any other, by code that is loaded then; until that is there, the page before stays.
 * Where its properties may become others on the same page, give it a key.
 * @param load imports its module, `<name>.static.tsx`: by that ending the build finds its styles
 */
export function staticPart<Props extends object>(
  load: () => Promise<{ Component: ComponentType<Props> }>,
): ComponentType<Props> {
  let loading: ReturnType<typeof load> | undefined
  const loadOnce = () => (loading ??= load())
  const Content = lazy(async () => ({ default: (await loadCode(loadOnce)).Component }))
  // What is wrong with it is told where it is shown.
  if (isFirstPageThere) loadOnce().catch(() => {})
  if (import.meta.env.SSR) {
    return (props) => (
      <div className={styles.part}>
        <Content {...props} />
      </div>
    )
  }
  return function StaticPart(props) {
    const isHydrating = useHydrating()
    // Who the agency is may come after the page, where the content is slow.
    const isKnown = useIdentity() !== unknownIdentity
    const [writtenAs] = useState(isHydrating ? isKnown : null)
    return writtenAs === isKnown ? (
      // React does not look into an element whose content is given as HTML.
      <div className={styles.part} suppressHydrationWarning dangerouslySetInnerHTML={nothing} />
    ) : (
      <div className={styles.part}>
        <Content {...props} />
      </div>
    )
  }
}

/** One object for all, since React writes HTML anew whenever it is given another object. */
const nothing = { __html: '' }
