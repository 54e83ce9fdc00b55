import { Badge } from '../../ui/badge.tsx'
import card from '../../ui/cards/card.module.css'
import { Picture } from '../../ui/pictures/picture.tsx'
import type { ProductPreview } from './list-loader.ts'
import styles from './product-card.module.css'
import { ShownPrice } from '../shown-price.tsx'
import { categoryTitles, kindTitles, productHref } from '../view.ts'

type Props = {
  product: ProductPreview
  isNet: boolean
  /** Its picture is fetched at once. */
  first?: boolean
  heading?: 'h2' | 'h3'
}

/** A product in a list: picture, name, and what it costs at least. */
export function ProductCard({ product, isNet, first = false, heading: Heading = 'h2' }: Props) {
  const { handle, title, summary, category, kind, picture, price, from, soldOut } = product
  return (
    <article className={`${card.card} ${styles.product}`}>
      <div className={`${card.frame} ${styles.frame}`} data-gone={soldOut ? '' : undefined}>
        {picture ? (
          <Picture
            picture={picture}
            alt=""
            sizes="(width < 40rem) 50vw, (width < 64rem) 33vw, 22vw"
            first={first}
          />
        ) : (
          <div className={card.noPicture} />
        )}
        {(soldOut || price.before !== null) && (
          <div className={styles.badge}>
            {soldOut ? <Badge tone="over">Sold out</Badge> : <Badge tone="active">Sale</Badge>}
          </div>
        )}
      </div>
      <div className={styles.words}>
        <p className={`label ${card.meta}`}>
          <span>{categoryTitles[category]}</span>
          <em className={styles.kind}>{kindTitles[kind]}</em>
        </p>
        <Heading className={`${card.title} ${styles.title}`}>
          <a href={productHref(handle, isNet)}>{title}</a>
        </Heading>
        <p className={styles.summary}>{summary}</p>
        <p className={styles.price}>
          <ShownPrice price={price} isNet={isNet} from={from} />
        </p>
      </div>
    </article>
  )
}
