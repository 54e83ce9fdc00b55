import { lazy, useState, type ComponentType } from 'react'
import { useHydrating } from '../ui/use-hydrated.ts'
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
 * Where its properties or what it reads may become others on the same page, give it a key: who the
 * agency is, above all, may come after the page, where the content is slow.
 * @param load imports its module, `<name>.static.tsx`: by that ending the build finds its styles
 */
export function staticPart<Props extends object>(
  load: () => Promise<{ Component: ComponentType<Props> }>,
): ComponentType<Props> {
  const Content = lazy(async () => ({ default: (await loadCode(load)).Component }))
  // What is wrong with it is told where it is shown.
  if (isFirstPageThere) load().catch(() => {})
  if (import.meta.env.SSR) {
    return (props) => (
      <div className={styles.part}>
        <Content {...props} />
      </div>
    )
  }
  return function StaticPart(props) {
    const isHydrating = useHydrating()
    const [isWritten] = useState(isHydrating)
    return isWritten ? (
      // React does not look into an element whose content is given as HTML.
      <div className={styles.part} suppressHydrationWarning dangerouslySetInnerHTML={nothing} />
    ) : (
      <div className={styles.part}>
        <Content {...props} />
      </div>
    )
  }
}

/** One object for all, since React writes HTML again whenever it is given another object. */
const nothing = { __html: '' }
