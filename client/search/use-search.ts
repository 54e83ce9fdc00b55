import { useEffect, useEffectEvent, useRef, useState, type FormEvent } from 'react'
import { useLocation, useNavigate, useNavigation } from 'react-router'
import { checkTerm, searchHref } from '#shared/search.ts'
import { track } from '../analytics/track.ts'

/**
 * Milliseconds that the spinner shows before the results (docs/contract.md, Limits and constants).
 */
const spinnerMs = 500

type Options = {
  /** The term of the address; without it, the field keeps what was typed. */
  term?: string
  /** What is wrong with it. */
  wrong?: string | null
  /** Called right before the results are asked for. */
  onLeave?: () => void
  /** Called with each change of the field. */
  onType?: (typed: string) => void
}

/**
 * What came of the latest submit, and the keys of the pages that it's about: the one that it was made on, and
 * the one that was on its way.
 */
type State = { at: readonly string[]; message: string | null; searching: boolean }

/** A search that a visitor types; see {@link useSearch}. */
export type Search = ReturnType<typeof useSearch>

/**
 * What a search form does with its term (docs/contract.md, Search): says what is wrong with it
 * until the visitor types, or shows a spinner and goes to the results. Without a term it does
 * nothing but lead back to the field.
 */
export function useSearch({ term, wrong = null, onLeave, onType }: Options = {}) {
  const field = useRef<HTMLInputElement>(null)
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)
  // The page on its way when the field was changed last.
  const typedBefore = useRef<string>(undefined)
  const at = useLocation().key
  const [latest, setLatest] = useState<State | null>(null)
  const navigate = useNavigate()
  const next = useNavigation().location?.key
  const here = next === undefined ? [at] : [at, next]
  // What was said of a term is about the page that it was typed on.
  const isHere = latest !== null && here.every((key) => latest.at.includes(key))
  const { message, searching }: Omit<State, 'at'> = isHere
    ? latest
    : { message: wrong, searching: false }

  // Who goes elsewhere meanwhile does not want the results any more.
  useEffect(() => {
    if (!isHere) clearTimeout(waiting.current)
  }, [isHere])
  useEffect(() => () => clearTimeout(waiting.current), [])
  const follow = useEffectEvent((to: string | undefined) => {
    const isNewer = typedBefore.current === at
    // It's newer than the page once, and not after a step back to it.
    typedBefore.current = undefined
    if (field.current && to !== undefined && !isNewer) field.current.value = to
  })
  // The field follows the address, also by the browser's back and forward, but for what was typed while the
  // page came.
  useEffect(() => follow(term), [term])

  function reset() {
    clearTimeout(waiting.current)
    setLatest({ at: here, message: null, searching: false })
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    if (searching) return
    const checked = checkTerm(field.current?.value ?? '')
    if (checked.state === 'empty') return field.current?.focus()
    if (checked.state === 'wrong') {
      setLatest({ at: here, message: checked.message, searching: false })
      return
    }
    setLatest({ at: here, message: null, searching: true })
    waiting.current = setTimeout(() => {
      reset()
      onLeave?.()
      track('search')
      void navigate(searchHref(checked.term))
    }, spinnerMs)
  }
  function type() {
    typedBefore.current = next
    reset()
    onType?.(field.current?.value ?? '')
  }
  return { field, message, searching, submit, type, reset }
}
