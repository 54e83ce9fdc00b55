import { Router } from 'express'
import { contactBodyBytes, getFormProof, saveContactForm, sendEmail } from '#shared/contact.ts'
import type { Context } from '../context.ts'
import type { Endpoints } from '../http/endpoints.ts'
import type { Limits } from '../http/limits.ts'
import { formPage } from './form-page.ts'
import { networkOf } from '../http/network-of.ts'
import { createSave } from './saving.ts'

/**
 * The contact flow: saving a message, its mail calls, form proofs, and the form of browsers
 * without scripts.
 */
export function contactRoutes(context: Context, endpoints: Endpoints, limits: Limits): Router {
  const { formProofs: proofs } = context
  const save = createSave(context)

  endpoints.serve(saveContactForm, { limit: 'save', access: 'csrf', bytes: contactBodyBytes }, save)

  endpoints.serve(
    sendEmail,
    { limit: 'mail', access: 'csrf', bytes: 64 * 1024 },
    async (call, { address }) => {
      const network = networkOf(context, address)
      await context.commit((tx) => context.calls.remember(tx, call, network))
      return { success: true as const }
    },
  )

  endpoints.serve(getFormProof, { limit: 'proof', access: 'public' }, () => proofs.issue())

  return Router().use(formPage({ context, limits, proofs, save }))
}
