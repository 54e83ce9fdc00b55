import { proofHeader, type FormProof, formProofLimits } from '#shared/form-proof.ts'

/** A sum of the server with its proof, and when it came by `Date.now()`. */
export type FreshProof = Pick<FormProof, 'x' | 'y' | 'proof'> & { cameAt: number }

/** A sum with its proof, or null when the server has none for us. */
export async function freshProof(): Promise<FreshProof | null> {
  try {
    const response = await fetch('/api/form-proof')
    const sum = (await response.json()) as Partial<FormProof> | null
    const isWhole = Number.isInteger(sum?.x) && Number.isInteger(sum?.y) && sum?.proof
    if (!response.ok || !isWhole) return null
    const { x, y, proof } = sum as FormProof
    return { x, y, proof, cameAt: Date.now() }
  } catch {
    return null
  }
}

/**
 * The value of X-Form-Proof for a sum with its answer. A browser fills a form in within a second;
 * since the server takes no proof that is so young, this waits until it is old enough.
 */
export async function ripe({ x, y, proof, cameAt }: FreshProof): Promise<string> {
  const wait = cameAt + formProofLimits.leastAgeMs - Date.now()
  if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
  return proofHeader(proof, x + y)
}
