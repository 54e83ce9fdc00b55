import type { ReactNode } from 'react'

/** A line drawing on a 24 px grid; always beside a text that says the same. */
export function Icon({ children, size = 24 }: { children: ReactNode; size?: number }) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
    >
      {children}
    </svg>
  )
}

/** Onwards. */
export const ArrowIcon = () => (
  <Icon size={20}>
    <path d="M3 12h17m-6-6 6 6-6 6" />
  </Icon>
)
