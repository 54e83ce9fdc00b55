import { formProofLimits, formProofPath, type FormProof } from '#shared/forms/form-proof.ts'
import {
  useCallback,
  useEffect,
  useEffectEvent,
  useReducer,
  useRef,
  useState,
  type Dispatch,
  type RefObject,
  type SubmitEvent,
} from 'react'
import { focusFirstError } from '../forms/use-form.ts'
import { useIdentity } from '../site/data/identity.ts'
import { useOnDemand } from '../site/use-on-demand.ts'
import {
  linesWithoutCode,
  reduceForm,
  untouched,
  type FormAction,
  type FormState,
  type Question,
} from './form-state.ts'
import type { Refusal } from './saving.ts'
import { hasUnsent } from './has-unsent.ts'

/** Options of a form. */
export type ContactFormOptions = {
  /** Fills in the subject. */
  subject?: string | undefined
  /** Called when the thank-you popup closes by itself. */
  onDone?: (() => void) | undefined
}

/** The code that checks, sends and stores messages; loaded when someone begins to write. */
const loadSending = () => import('./sending.ts')

/** Milliseconds after which a press whose code is late says “Sending...”, and after which it's given up. */
const codeTimes = { late: 300, over: 10_000 }

/** What it brings, or null where it fails or hangs: a press must never do nothing for good. */
const inTime = <Value>(bringing: Promise<Value>): Promise<Value | null> =>
  Promise.race([
    bringing.catch(() => null),
    new Promise<null>((resolve) => setTimeout(resolve, codeTimes.over, null)),
  ])

/** Behaviour of the contact form. */
export function useContactForm({ subject, onDone }: ContactFormOptions) {
  const form = useRef<HTMLFormElement>(null)
  const refusedTicket = useRef<string | null>(null)
  const isBusy = useRef(false)
  const [state, dispatch] = useReducer(reduceForm, untouched)
  const [code, load] = useOnDemand(loadSending)
  const { question, wasAsked, drawQuestion } = useQuestion(form)
  const agency = useIdentity()
  usePrepared(form)
  useSubject(form, subject)
  useDelivery(state, load, dispatch)
  useRefused(form, state, load, (ticketId, refusal) => {
    refusedTicket.current = ticketId
    dispatch({ type: 'given-back', refusal })
  })

  const send = async () => {
    if (!form.current || isBusy.current || state.phase === 'sending') return
    isBusy.current = true
    const late = setTimeout(() => dispatch({ type: 'loading' }), codeTimes.late)
    const sending = await inTime(load())
    clearTimeout(late)
    isBusy.current = false
    if (!sending) return dispatch({ type: 'unavailable' })
    const attempt = state.attempt + 1
    const about = { form: form.current, question, agency, attempt, refusedTicket }
    await sending.sendForm({ ...about, dispatch, drawQuestion })
  }
  const sendNow = useEffectEvent(send)
  useEffect(() => {
    if (question && state.phase === 'waiting') void sendNow()
  }, [question, state.phase])
  useEffect(() => {
    if (state.complaints > 0) focusFirstError(form.current)
  }, [state.complaints])

  return {
    form,
    state,
    question,
    wasAsked,
    lines: code ? code.statusLines(state, agency.email) : linesWithoutCode(state, agency.email),
    // No lazy component, which would come a moment after the popup's time has begun.
    Outcome: code?.Outcome,
    onSubmit(event: SubmitEvent<HTMLFormElement>) {
      event.preventDefault()
      void send()
    },
    onTyped: (field: string) => dispatch({ type: 'typed', field }),
    closePopup(byItself: boolean) {
      dispatch({ type: 'popup-closed' })
      if (state.popup === 'thanks') {
        if (byItself) onDone?.()
        return
      }
      // By now it has another question.
      form.current?.querySelector<HTMLInputElement>('[name=captcha]')?.focus()
    },
  }
}

/** Disables native validation, and preloads the code that sends on the first focus. */
function usePrepared(form: RefObject<HTMLFormElement | null>) {
  useEffect(() => {
    const element = form.current!
    // The bubbles are for visitors without scripts.
    element.setAttribute('novalidate', '')
    const prepare = () => void loadSending().catch(() => {})
    element.addEventListener('focusin', prepare, { once: true })
    return () => element.removeEventListener('focusin', prepare)
  }, [form])
}

/** Fills in the subject. */
function useSubject(form: RefObject<HTMLFormElement | null>, subject = '') {
  const last = useRef(subject)
  useEffect(() => {
    const control = form.current?.elements.namedItem('subject')
    if (!subject || !(control instanceof HTMLInputElement)) return
    // What the visitor has written stays.
    if (!control.value || control.value === last.current) control.value = subject
    last.current = subject
  }, [form, subject])
}

/** Follows what became of the message that the visitor was thanked for. */
function useDelivery(
  { ticketId }: FormState,
  load: typeof loadSending,
  dispatch: Dispatch<FormAction>,
) {
  useEffect(() => {
    if (!ticketId) return undefined
    let isOver = false
    let stop = () => {}
    const follow = async () => {
      const { followDelivery } = await load()
      if (!isOver)
        stop = followDelivery(ticketId, (delivery) => dispatch({ type: 'moved', delivery }))
    }
    void follow()
    return () => {
      isOver = true
      stop()
    }
  }, [ticketId, load, dispatch])
}

/** Gives back what the server refused: in an earlier visit, or after the visitor was thanked. */
function useRefused(
  form: RefObject<HTMLFormElement | null>,
  { ticketId, delivery }: FormState,
  load: typeof loadSending,
  onGivenBack: (ticketId: string, refusal: Refusal) => void,
) {
  const look = useEffectEvent(async (ticket?: string) => {
    const sending = await load().catch(() => null)
    const found = form.current && sending?.restoreRefused(form.current, ticket)
    if (found) onGivenBack(found.ticketId, found.refusal)
  })
  useEffect(() => {
    if (hasUnsent()) void look()
  }, [])
  useEffect(() => {
    if (delivery === 'refused' && ticketId) void look(ticketId)
  }, [delivery, ticketId])
}

/** Milliseconds to wait for the server's sum before the browser draws its own. */
const serverHasMs = 1000

const operand = () => {
  const { maxOperand } = formProofLimits
  const [byte = 0] = crypto.getRandomValues(new Uint8Array(1))
  return 1 + (byte % maxOperand)
}

/** How far below the viewport a form requests its question, so it's there when scrolled to. */
const ahead = '600px'

/**
 * The question of a form: null until the form is nearly seen and the sum is settled, and never
 * another one while it is shown. `wasAsked` tells whether there has been one; `drawQuestion` asks
 * for the next.
 */
export function useQuestion(form: RefObject<HTMLFormElement | null>) {
  const isNear = useNearness(form)
  const [{ question, wasAsked }, setState] = useState<{
    question: Question | null
    wasAsked: boolean
  }>({ question: null, wasAsked: false })
  useEffect(() => {
    if (question || !isNear) return undefined
    let settled = false
    const settle = (next: Question) => {
      if (settled) return
      settled = true
      setState({ question: next, wasAsked: true })
    }
    const draw = () => settle({ x: operand(), y: operand(), proof: null })
    const timer = setTimeout(draw, serverHasMs)
    void freshProof().then((proof) => (proof ? settle(proof) : draw()))
    return () => {
      settled = true
      clearTimeout(timer)
    }
  }, [question, isNear])
  const drawQuestion = useCallback(() => setState((last) => ({ ...last, question: null })), [])
  return { question, wasAsked, drawQuestion }
}

/**
 * A sum of the server with its proof; null when it has none for us. Not by the API client, which is
 * no part of the first load.
 */
async function freshProof(): Promise<Question | null> {
  try {
    const response = await fetch(formProofPath)
    const sum = (await response.json()) as Partial<FormProof> | null
    const isWhole = Number.isInteger(sum?.x) && Number.isInteger(sum?.y) && sum?.proof
    if (!response.ok || !isWhole) return null
    const { x, y, proof } = sum as FormProof
    return { x, y, proof, cameAt: Date.now() }
  } catch {
    return null
  }
}

/** Whether an element has come near the window. */
function useNearness(place: RefObject<Element | null>): boolean {
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    if (!place.current) return undefined
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setNear(true),
      { rootMargin: ahead },
    )
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [place])
  return isNear
}
