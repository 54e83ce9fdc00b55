import { lazy, Suspense, useState, type ComponentType } from 'react'
import { useHydrating } from '../ui/use-hydrated.ts'
import styles from './static-part.module.css'

/**
 * A part of a page that never changes once it is rendered. In a page from the server the browser
 * leaves it as it is: it neither loads its code nor hydrates it. In a page navigated to it is
 * rendered as any other, by code that is loaded then. Where its properties may become others on the
 * same page, give it a key.
 * @param load imports its module, `<name>.static.tsx`: by that ending the build finds its styles
 */
export function staticPart<Props extends object>(
  load: () => Promise<{ Component: ComponentType<Props> }>,
): ComponentType<Props> {
  const Content = lazy(async () => ({ default: (await load()).Component }))
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
        <Suspense fallback={null}>
          <Content {...props} />
        </Suspense>
      </div>
    )
  }
}

/** One object for all, since React writes HTML anew whenever it is given another object. */
const nothing = { __html: '' }
