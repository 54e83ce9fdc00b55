import { createContext } from 'react-router'
import { paths } from '#shared/paths.ts'
import button from '../ui/button.module.css'
import { EmptyState } from '../ui/empty-state.tsx'
import { ArrowIcon } from '../ui/icons.tsx'

/** An order that stands already, with the way to its page. */
export type Placed = { order: string; href: string }

/**
 * Whether the cart that was sent has been ordered before, for the loader that runs after the action:
 * an empty cart then has something to tell.
 */
export const placedContext = createContext(false)

/** The order of a cart that was sent once more, as from a second tab: nothing was ordered again. */
export const AlreadyOrdered = ({
  placed: { order, href },
  message,
}: {
  placed: Placed
  message: string
}) => (
  <div role="alert">
    <EmptyState title="You have ordered this already">
      <p>{message}</p>
      <a href={href} className={button.button}>
        See order {order}
      </a>
      <a href={paths.shop()} className={button.arrow}>
        <span>To the shop</span> <ArrowIcon />
      </a>
    </EmptyState>
  </div>
)
