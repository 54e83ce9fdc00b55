import { endpoint, json } from '../endpoint.ts'
import { formProofPath, type FormProof } from './form-proof.ts'

/**
 * Hands out a sum and its proof, which goes back with the answer in the header X-Form-Proof:
 * `proof.answer`. Apart from what forms show of it, which is part of first loads.
 */
export const getFormProof = endpoint({
  method: 'GET',
  path: formProofPath,
  // It takes nothing; what is sent all the same is left out.
  input: { safeParse: () => ({ success: true, data: {} }) },
  output: json<FormProof>(),
})
