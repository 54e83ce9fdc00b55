import { contactMessages } from '#shared/contact/contact-form.ts'
import { getFormProof } from '#shared/forms/form-proof-endpoint.ts'
import { formProofLimits, proofHeader, type FormProof } from '#shared/forms/form-proof.ts'
import type { Entries } from '#shared/forms/form.ts'
import type { Site } from '../site/data/loading.ts'

/** The sum of a form, with the proof that goes back with its answer. */
export type Sum = Pick<FormProof, 'x' | 'y' | 'proof'>

/** A new sum; null where there is none to be had, and the form still counts, within narrower limits. */
export const newSum = (api: Site['api']): Promise<Sum | null> =>
  api(getFormProof, {}).then(
    ({ x, y, proof }) => ({ x, y, proof }),
    () => null,
  )

/**
 * What is wrong with the answer to a sum; null for a form that has none.
 * @param options `optional` lets it stay empty
 */
export function sumProblem(
  { captcha, x, y }: Entries,
  { optional = false }: { optional?: boolean } = {},
): string | null {
  if (captcha === undefined) return null
  if (captcha.trim() === '') return optional ? null : contactMessages.captcha
  const isWrong = Boolean(x && y) && Number(captcha) !== Number(x) + Number(y)
  return isWrong ? 'Please check your answer to the verification question' : null
}

/** The answered proof of a form; null for one without. Without scripts the fields themselves are it. */
export async function sumProof({ proof, captcha, cameAt }: Entries): Promise<string | null> {
  if (!proof || !captcha?.trim()) return null
  return waitUntilProofIsValid({ proof, cameAt: Number(cameAt) }, captcha.trim())
}

/**
 * The value of X-Form-Proof for a proof that came at a time of `Date.now()`. The server takes none
 * that is younger than a person needs to fill in a form; a browser fills it in faster, and waits.
 */
export async function waitUntilProofIsValid(
  { proof, cameAt }: { proof: string; cameAt: number },
  answer: number | string,
): Promise<string> {
  if (!import.meta.env.SSR) {
    const wait = cameAt + formProofLimits.minAgeMs - Date.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
  }
  return proofHeader(proof, answer)
}
