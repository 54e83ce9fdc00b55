import { useEffect, useState } from 'react'
import { useLocation, useNavigate, useRevalidator } from 'react-router'
import type { FieldErrors } from '#shared/forms/form.ts'
import { paths } from '#shared/paths.ts'
import { toResult } from '#shared/forms/result.ts'
import { codeMessages, minCodeLength } from '#shared/clients/secret-code.ts'
import { useForm } from '../forms/use-form.ts'
import { setFlag } from './signing.ts'

const load = () => import('./authenticate.ts')

/** The field of the form, for the code and then for the number; the form's addresses name it. */
export const codeFieldId = 'secret-code'

/** What a form without scripts was answered, by the word in its address. */
const problems: Readonly<Record<string, FieldErrors>> = {
  short: { secretCode: codeMessages.short },
  wrong: { secretCode: codeMessages.wrong },
  late: { secretCode: codeMessages.late },
  wait: { secretCode: 'Too many wrong codes. Wait a moment, then try again.' },
  'wrong-number': { number: codeMessages.wrongNumber },
  'wait-number': { number: 'Too many wrong numbers. Wait a moment, or use a recovery code.' },
}

/**
 * Signs in with a secret code and, for a code that asks for it, a number of an authenticator app. What
 * is wrong with one is said, and its field gets the focus again.
 * @param to where to go with a right code; the client's panel where not said
 */
export function useSignIn(to: string | undefined) {
  const { pathname, search, state } = useLocation()
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const said = new URLSearchParams(search).get('problem') ?? ''
  const problem = problems[said]
  // Without scripts a cookie has the challenge, and the address says that there is one.
  const [challenge, setChallenge] = useState(said.endsWith('number') ? '' : null)
  useEffect(() => {
    if (challenge) document.getElementById(codeFieldId)?.focus()
  }, [challenge])

  const { errors, ...form } = useForm(
    async ({ secretCode, name = '', number }): Promise<FieldErrors | null> => {
      const code = (secretCode ?? number ?? '').trim()
      if (challenge === null && Array.from(code).length < minCodeLength) {
        return { secretCode: codeMessages.short }
      }
      if (challenge !== null && code === '') return { number: codeMessages.number }
      const reply = await load().then(
        ({ authenticate, confirm }) =>
          challenge === null ? authenticate(code, name.trim()) : confirm(challenge, code),
        () => ({ problem: codeMessages.unreachable, challenge: null, isRetry: true }),
      )
      if ('problem' in reply) {
        if (challenge === null && reply.challenge !== null) {
          setChallenge(reply.challenge)
          return null
        }
        if (challenge !== null && (reply.challenge !== null || reply.isRetry)) {
          return { number: reply.problem }
        }
        setChallenge(null)
        return { secretCode: reply.problem }
      }
      setFlag(reply.signedIn)
      const target = to ?? paths.panel(reply.signedIn.panel || undefined)
      if (isDownload(target)) location.assign(target)
      else if (target.split('?')[0] === pathname) {
        // What the code opens is shown in place of this form, as it was left: on its page, in its viewer.
        await revalidate()
        const query = target.slice(pathname.length) || withoutProblem(search)
        await navigate(toResult(pathname + query), { replace: true, state })
      } else await navigate(toResult(target))
      return null
    },
    problem,
  )

  return {
    ...form,
    message: errors.secretCode ?? errors.number,
    /** Whether the code was right and waits for its number. */
    isNumber: challenge !== null,
    /** Gets the code that asks the server, ahead of the press. */
    prepare: () => void load().catch(() => {}),
  }
}

/** The query of an address without the word that says what a form without scripts was answered. */
function withoutProblem(search: string): string {
  const query = new URLSearchParams(search)
  query.delete('problem')
  return query.size === 0 ? '' : `?${query}`
}

/** What is below a folder is a file, not a page that can be navigated to. */
const isDownload = (address: string) => /^\/s\/[^/?]+\//.test(address)
