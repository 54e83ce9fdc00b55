import * as z from 'zod/mini'
import { authenticateClient, confirmSignIn, type SignInReply } from '#shared/clients/clients.ts'
import { codeMessages } from '#shared/clients/secret-code.ts'
import { address, type Endpoint } from '#shared/endpoint.ts'

/** Something else than what is asked for counts as a plain value. */
const orElse = z.catch

/** What the server says of a code; its `success` decides, whatever the status. */
const answer = z.object({
  success: orElse(z.boolean(), false),
  message: orElse(z.string(), ''),
  code: orElse(z.string(), ''),
  challenge: orElse(z.string(), ''),
  data: orElse(z.looseObject({ panel: orElse(z.string(), '') }), { panel: '' }),
})

/** Who is signed in, as far as the server has said: `panel` is the last part of the panel's address. */
export type SignedIn = z.output<typeof answer>['data']

/** Who is signed in, or what the form says instead; `challenge` where it asks for a number. */
export type SignInAnswer =
  | { signedIn: SignedIn }
  | { problem: string; challenge: string | null; isRetry: boolean }

/**
 * Asks the server about a secret code.
 * @param name of the person, empty when not said
 */
export const authenticate = (secretCode: string, name: string): Promise<SignInAnswer> =>
  ask(authenticateClient, { secretCode, ...(name && { name }) })

/**
 * Asks the server about a number of the authenticator app.
 * @param challenge that came with the right code; empty where a cookie has it
 */
export const confirm = (challenge: string, number: string): Promise<SignInAnswer> =>
  ask(confirmSignIn, { challenge, number })

async function ask<Input>(
  endpoint: Endpoint<Input, SignInReply>,
  input: NoInfer<Input>,
): Promise<SignInAnswer> {
  const { url, body } = address(endpoint, input)
  try {
    const response = await fetch(url, {
      method: endpoint.method,
      headers: { 'Content-Type': 'application/json' },
      body,
    })
    const { success, message, data, code, challenge } = answer.parse(await response.json())
    if (success) return { signedIn: data }
    return {
      problem: message || codeMessages.wrong,
      challenge: code === 'totp' ? challenge : null,
      // What was typed says nothing of the challenge, which goes on.
      isRetry: code === 'too-many' || code === 'invalid',
    }
  } catch {
    // No network, or a reply that is none of the server's own.
    return { problem: codeMessages.unreachable, challenge: null, isRetry: true }
  }
}
