import { authenticateClient, type SessionFacts } from '#shared/clients.ts'
import { codeMessages } from '#shared/secret-code.ts'
import { api, ApiError } from '../api.ts'

/**
 * Asks the server about a secret code (spec section 7).
 * @param name of the person, empty when not said
 * @returns who is signed in, or what the form says instead
 */
export async function authenticate(
  secretCode: string,
  name: string,
): Promise<{ facts: SessionFacts } | { problem: string }> {
  try {
    const { data } = await api(authenticateClient, { secretCode, ...(name && { name }) })
    return { facts: data }
  } catch (error) {
    if (!(error instanceof ApiError)) return { problem: codeMessages.unreachable }
    const { body, status } = error
    if (body?.message) return { problem: body.message }
    return { problem: status >= 500 ? codeMessages.unreachable : codeMessages.wrong }
  }
}
