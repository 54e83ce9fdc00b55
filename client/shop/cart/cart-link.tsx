import { useEffect } from 'react'
import { paths } from '#shared/paths.ts'
import { Icon } from '../../ui/icons.tsx'
import { rememberedPieces, usePieces } from './cart-hint.ts'
import styles from './cart-link.module.css'

/**
 * Leads to the cart and says how many pieces are in it; on the pages of the shop, and wherever there
 * is something in it. Only a browser that has seen a cart asks for it.
 */
export function CartLink({ pathname }: { pathname: string }) {
  const pieces = usePieces()
  useEffect(() => {
    if (rememberedPieces() === null) return
    // It may be out of date, or bought in another tab. What the server does not answer stays as it was.
    import('./count-pieces.ts').then(({ countPieces }) => countPieces()).catch(() => {})
  }, [])
  const isInShop = pathname === paths.shop() || pathname.startsWith(`${paths.shop()}/`)
  if (!pieces && !isInShop) return null
  return (
    <a
      href={paths.cart()}
      className={styles.link}
      aria-current={pathname === paths.cart() ? 'page' : undefined}
    >
      <Icon size={22}>
        <path d="M5 8h14l-1.2 12H6.2L5 8Zm3.5 3V7a3.5 3.5 0 0 1 7 0v4" />
      </Icon>
      <span className="unseen">Cart{pieces ? ', ' : ''}</span>
      {pieces ? (
        <span className={styles.count}>
          {pieces}
          <span className="unseen">{pieces === 1 ? ' piece' : ' pieces'}</span>
        </span>
      ) : null}
    </a>
  )
}
