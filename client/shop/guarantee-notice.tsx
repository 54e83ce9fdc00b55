import styles from './guarantee-notice.module.css'

/**
 * The notice of the legal guarantee of conformity, where goods are offered to consumers (Directive
 * 2011/83/EU, art. 6(1)(l) and 22a; Implementing Regulation (EU) 2025/1960).
 */
export const GuaranteeNotice = () => (
  <aside className={styles.notice} aria-labelledby="guarantee-title" id="guarantee">
    <p className={styles.years} aria-hidden="true">
      <strong>2</strong> years
    </p>
    <div>
      <h2 id="guarantee-title">{'Legal guarantee: at least 2\u00a0years in the EU'}</h2>
      <p>
        If goods are faulty or not as described, the seller has to repair or replace them free of
        charge, or else reduce the price or refund you. It’s the law, at no cost, and on top of any
        commercial guarantee. Your country may give you longer: in Finland, the seller is liable for
        as long as such goods can be expected to last.
      </p>
      <p>
        <a href="https://europa.eu/youreurope/citizens/consumers/shopping/guarantees-returns/index_en.htm">
          Your rights on Your Europe
        </a>
      </p>
    </div>
  </aside>
)
