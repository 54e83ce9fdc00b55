import * as z from 'zod/mini'
import { authenticateClient } from '#shared/clients.ts'
import { codeMessages } from '#shared/secret-code.ts'
import { address } from '#shared/endpoint.ts'

/** Something else than what is asked for counts as a plain value. */
const orElse = z.catch

/** What the server says of a code; its `success` decides, whatever the status. */
const answer = z.object({
  success: orElse(z.boolean(), false),
  message: orElse(z.string(), ''),
  data: orElse(z.looseObject({ panel: orElse(z.string(), '') }), { panel: '' }),
})

/** Who is signed in, as far as the server has said: `panel` is the last part of the panel's address. */
export type SignedIn = z.output<typeof answer>['data']

/**
 * Asks the server about a secret code.
 * @param name of the person, empty when not said
 * @returns who is signed in, or what the form says instead
 */
export async function authenticate(
  secretCode: string,
  name: string,
): Promise<{ signedIn: SignedIn } | { problem: string }> {
  const { url, body } = address(authenticateClient, { secretCode, ...(name && { name }) })
  try {
    const response = await fetch(url, {
      method: authenticateClient.method,
      headers: { 'Content-Type': 'application/json' },
      body,
    })
    const { success, message, data } = answer.parse(await response.json())
    return success ? { signedIn: data } : { problem: message || codeMessages.wrong }
  } catch {
    // No network, or a reply that is none of the server's own.
    return { problem: codeMessages.unreachable }
  }
}
