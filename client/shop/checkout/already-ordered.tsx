import { paths } from '#shared/paths.ts'
import button from '../../ui/button.module.css'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { ArrowIcon } from '../../ui/icons.tsx'
import type { Placed } from './checkout-data.ts'

/** The order of a cart that was sent once more, as from a second tab: nothing was ordered again. */
export const AlreadyOrdered = ({
  placed: { order, href },
  message,
}: {
  placed: Placed
  message: string
}) => (
  <div role="alert">
    <EmptyState title="You’ve already ordered this">
      <p>{message}</p>
      <a href={href} className={button.button}>
        See order {order}
      </a>
      <a href={paths.shop()} className={button.arrow}>
        <span>Go to shop</span> <ArrowIcon />
      </a>
    </EmptyState>
  </div>
)
