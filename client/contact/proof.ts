import type { FormProof } from '#shared/contact.ts'

/** A sum with its proof, or null when the server has none for us. */
export async function freshProof(): Promise<FormProof | null> {
  try {
    const response = await fetch('/api/form-proof')
    const sum = (await response.json()) as Partial<FormProof> | null
    const isWhole = Number.isInteger(sum?.x) && Number.isInteger(sum?.y) && sum?.proof
    return response.ok && isWhole ? (sum as FormProof) : null
  } catch {
    return null
  }
}
