import { useEffect, useRef, useState, type SubmitEvent } from 'react'
import { useLocation, useNavigate, useRevalidator } from 'react-router'
import { paths } from '#shared/paths.ts'
import { codeMessages, shortestCode } from '#shared/secret-code.ts'
import { setFlag } from './signing.ts'

const load = () => import('./authenticate.ts')

/** What a form without scripts was answered, by the word in its address. */
const problems: Readonly<Record<string, string>> = {
  short: codeMessages.short,
  wrong: codeMessages.wrong,
  wait: 'Too many wrong codes. Please wait a moment and try again.',
}

/**
 * Signs in with a secret code. What is wrong with it is said, and its field gets the focus again.
 * @param to where to go with a right code; the client's panel where not said
 */
export function useSignIn(to: string | undefined) {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const field = useRef<HTMLInputElement>(null)
  const person = useRef<HTMLInputElement>(null)
  const [message, setMessage] = useState(
    () => problems[new URLSearchParams(search).get('problem') ?? ''] ?? null,
  )
  const [checking, setChecking] = useState(false)
  useEffect(() => {
    if (message && !checking) field.current?.focus()
  }, [message, checking])

  async function enter(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (checking) return
    const code = field.current?.value.trim() ?? ''
    if (Array.from(code).length < shortestCode) return setMessage(codeMessages.short)
    setMessage(null)
    setChecking(true)
    const reply = await load().then(
      ({ authenticate }) => authenticate(code, person.current?.value.trim() ?? ''),
      () => ({ problem: codeMessages.unreachable }),
    )
    if ('problem' in reply) {
      setChecking(false)
      setMessage(reply.problem)
      return
    }
    setFlag(reply.signedIn)
    const target = to ?? paths.panel(reply.signedIn.panel || undefined)
    if (isDownload(target)) location.assign(target)
    else if (target === pathname && !search) await revalidate()
    else await navigate(target)
    setChecking(false)
  }

  return {
    field,
    person,
    message,
    checking,
    enter,
    /** Gets the code that asks the server, ahead of the press. */
    prepare: () => void load().catch(() => {}),
    /** Takes back what was wrong. */
    clear: () => setMessage(null),
  }
}

/** What stands below a folder is a file, not a page that can be navigated to. */
const isDownload = (address: string) => /^\/s\/[^/?]+\//.test(address)
