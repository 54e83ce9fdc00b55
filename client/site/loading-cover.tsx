import { useLocation, useNavigation } from 'react-router'
import { paths } from '#shared/paths.ts'
import { useHydrated } from '../ui/use-hydrated.ts'
import styles from './layout.module.css'

/**
 * Tells that another page is on its way (docs/contract.md, Pages): a kerb grows along the upper edge
 * of the page at hand, and what takes longer than half a second covers it, except the home page.
 */
export function Loading() {
  const { pathname } = useLocation()
  const isHydrated = useHydrated()
  const to = useNavigation().location?.pathname
  const isLeaving = to !== undefined && to !== pathname
  const isCovered = isLeaving && to !== paths.home()
  // The server has no navigation, and writes nothing of this.
  if (!isHydrated) return null
  return (
    <>
      {isLeaving && <div aria-hidden="true" className={styles.bar} />}
      <div role="status" className={styles.cover} data-shown={isCovered ? '' : undefined}>
        {isCovered && 'Loading...'}
      </div>
    </>
  )
}
