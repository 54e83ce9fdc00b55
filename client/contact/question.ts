import { formProofLimits, formProofPath, type FormProof } from '#shared/form-proof.ts'
import { useCallback, useEffect, useState, type RefObject } from 'react'

/** A sum that was shown; with the server's proof when it came in time, and when that was. */
export type Question = { x: number; y: number } & (
  | { proof: string; cameAt: number }
  | { proof: null }
)

/** Milliseconds that the server has for its sum, before the browser draws one by itself. */
const serverHasMs = 1000

const operand = () => {
  const { operandMost } = formProofLimits
  const [byte = 0] = crypto.getRandomValues(new Uint8Array(1))
  return 1 + (byte % operandMost)
}

/** How far below the window a form asks for its question, so it is there when it is seen. */
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
