import { use, useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { paths } from '#shared/paths.ts'
import { below } from '../../ui/below.ts'
import { DeferredContext } from '../deferred.tsx'
import styles from './footer.module.css'
import { staticPart } from '../static-part.tsx'

const FooterContent = staticPart(() => import('./footer.static.tsx'))

/** Where someone may look for the way back out of a contract. */
const hasWithdrawal = (path: string) =>
  path.startsWith(paths.shop()) || path === paths.termsOfService()

/**
 * The end of every page (docs/contract.md, Pages). What is in it stays as the server wrote it; `footer-actions.ts`
 * runs the few things that do something.
 * @param props `slim` on the pages of tools; as its content never changes, give each a key
 */
export function Footer({ slim }: { slim: boolean }) {
  const { pathname } = useLocation()
  const code = use(DeferredContext)
  const ref = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!code) return undefined
    const over = new AbortController()
    code.runFooter(ref.current!, over.signal)
    return () => over.abort()
  }, [code])
  return (
    <footer
      ref={ref}
      className={`night ${styles.footer}`}
      data-withdrawal={hasWithdrawal(pathname) ? '' : undefined}
      {...below}
    >
      <FooterContent slim={slim} />
    </footer>
  )
}
