/** The sums that keep robots out of forms. */
export const formProofLimits = {
  /** Both numbers of a sum are whole, from 1 to this. */
  maxOperand: 10,
  /** Milliseconds. A proof that comes back sooner counts as none: no person is that quick. */
  minAgeMs: 3000,
} as const

/** Where the browser asks for a sum. */
export const formProofPath = '/api/form-proof'

/** A sum to solve, with the proof that we asked for it (docs/contract.md, Contact form). */
export type FormProof = { x: number; y: number; proof: string; expiresAt: string }

/** The value of the header X-Form-Proof. */
export const proofHeader = (proof: string, answer: number | string) => `${proof}.${answer}`

/** The question of a form; X and Y are whole numbers from 1 to 10. */
export const verificationQuestion = (x: number, y: number) => `Verification: What is ${x} + ${y}?`
