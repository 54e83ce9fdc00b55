import type { ProductPreview } from './list-loader.ts'
import styles from './list-page.module.css'
import { ProductCard } from './product-card.tsx'
import cards from './product-card.module.css'

/** The products of a page of the shop. */
export const Component = ({
  products,
  isNet,
}: {
  products: readonly ProductPreview[]
  isNet: boolean
}) => (
  <ul className={`wrap ${cards.products} ${styles.products}`}>
    {products.map((product, index) => (
      <li key={product.handle}>
        <ProductCard product={product} isNet={isNet} first={index < 2} />
      </li>
    ))}
  </ul>
)
