import { formProofPath, type FormProof } from '#shared/form-proof.ts'

/** A sum of the server with its proof, and when it came by `Date.now()`. */
export type FreshProof = Pick<FormProof, 'x' | 'y' | 'proof'> & { cameAt: number }

/** A sum with its proof, or null when the server has none for us. */
export async function freshProof(): Promise<FreshProof | null> {
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
