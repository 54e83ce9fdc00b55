import { useEffect } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router'
import { resultId, toResult } from '#shared/forms/result.ts'

/** For the element at which the result of a form begins; one on a page at a time. */
export const resultPlace = { id: resultId, tabIndex: -1 } as const

/** This page's own address, for a form that posts to it and is answered there. */
export function useOwnResult(): string {
  const { pathname, search } = useLocation()
  return toResult(pathname + search)
}

/**
 * Gives the focus to what the address names, as browsers do when they open a page: the router only
 * scrolls there. Each navigation counts, also one to the address that is open, but a step back or
 * forward shows a page as it was left, such as a gallery whose viewer closes.
 */
export function useFragmentFocus(): void {
  const { key, hash } = useLocation()
  const isStep = useNavigationType() === NavigationType.Pop
  useEffect(() => {
    // The browser has done it for the page that it opened, whose key this is.
    if (hash && key !== 'default' && !isStep) document.getElementById(hash.slice(1))?.focus()
  }, [key, hash, isStep])
}
