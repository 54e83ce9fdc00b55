import { useLocation, useNavigate, useRevalidator } from 'react-router'
import { paths } from '#shared/paths.ts'
import { toResult } from '#shared/result.ts'
import { codeMessages, shortestCode } from '#shared/secret-code.ts'
import { useForm } from '../forms/use-form.ts'
import { setFlag } from './signing.ts'

const load = () => import('./authenticate.ts')

/** What a form without scripts was answered, by the word in its address. */
const problems: Readonly<Record<string, string>> = {
  short: codeMessages.short,
  wrong: codeMessages.wrong,
  wait: 'Too many wrong codes. Wait a moment, then try again.',
}

/**
 * Signs in with a secret code. What is wrong with it is said, and its field gets the focus again.
 * @param to where to go with a right code; the client's panel where not said
 */
export function useSignIn(to: string | undefined) {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const problem = problems[new URLSearchParams(search).get('problem') ?? '']

  const { errors, ...form } = useForm(
    async ({ secretCode = '', name = '' }) => {
      const code = secretCode.trim()
      if (Array.from(code).length < shortestCode) return { secretCode: codeMessages.short }
      const reply = await load().then(
        ({ authenticate }) => authenticate(code, name.trim()),
        () => ({ problem: codeMessages.unreachable }),
      )
      if ('problem' in reply) return { secretCode: reply.problem }
      setFlag(reply.signedIn)
      const target = to ?? paths.panel(reply.signedIn.panel || undefined)
      if (isDownload(target)) location.assign(target)
      else {
        // What the code opens may be shown in place of this form.
        const isHere = target === pathname + search
        if (isHere) await revalidate()
        await navigate(toResult(target), { replace: isHere })
      }
      return null
    },
    problem ? { secretCode: problem } : undefined,
  )

  return {
    ...form,
    message: errors.secretCode,
    /** Gets the code that asks the server, ahead of the press. */
    prepare: () => void load().catch(() => {}),
  }
}

/** What stands below a folder is a file, not a page that can be navigated to. */
const isDownload = (address: string) => /^\/s\/[^/?]+\//.test(address)
