import { useCallback, useEffect, useState } from 'react'
import { contactLimits } from '#shared/contact.ts'
import { freshProof } from './save.ts'

/** A sum that was shown; with the server's proof when it came in time, and when that was. */
export type Question = { x: number; y: number } & (
  | { proof: string; cameAt: number }
  | { proof: null }
)

/** Milliseconds that the server has for its sum, before the browser draws one by itself. */
const serverHasMs = 1000

const operand = () => {
  const { operandMost } = contactLimits
  const [byte = 0] = crypto.getRandomValues(new Uint8Array(1))
  return 1 + (byte % operandMost)
}

/**
 * The question of a form: null until it is settled, and never another one while it is shown.
 * `wasAsked` tells whether there has been one; `drawQuestion` asks for the next.
 */
export function useQuestion() {
  const [{ question, wasAsked }, setState] = useState<{
    question: Question | null
    wasAsked: boolean
  }>({ question: null, wasAsked: false })
  useEffect(() => {
    if (question) return undefined
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
  }, [question])
  const drawQuestion = useCallback(() => setState((last) => ({ ...last, question: null })), [])
  return { question, wasAsked, drawQuestion }
}
