import { useId, useRef, useState, type SubmitEvent } from 'react'
import {
  looksLikeEmail,
  newsletterLimits,
  newsletterMessages,
  newsletterPaths,
  ownList,
} from '#shared/newsletter.ts'
import type { SiteConfig } from '#shared/site-config.ts'
import { track } from '../analytics/track.ts'
import { logError } from '../site/log.ts'
import button from '../ui/button.module.css'
import styles from './newsletter-form.module.css'
import { postInNewTab } from './post-in-new-tab.ts'

type State =
  | { is: 'idle' | 'subscribing' | 'subscribed' }
  | { is: 'error'; message: string; invalid: boolean }

/** While the configuration is on its way, our own list. */
const own: SiteConfig['newsletter'] = { action: newsletterPaths.form(), list: ownList, own: true }

/**
 * The newsletter form of the footer (docs/contract.md, Newsletter). Without scripts it posts as it
 * stands, into a new tab too.
 * @param target where to, and for which list
 */
export function NewsletterForm({ target }: { target: SiteConfig['newsletter'] | undefined }) {
  const { action, list, own: isOurs } = target ?? own
  const id = useId()
  const { input, state, onTyped, subscribe } = useSubscription(action, list)
  const done = state.is === 'subscribed'
  const failed = state.is === 'error' ? state : null

  return (
    <form
      method="post"
      action={action}
      target="_blank"
      rel="noopener"
      // The messages are ours; without scripts the browser's own bubbles do.
      ref={(form) => void (form && (form.noValidate = true))}
      className={styles.form}
      onSubmit={(event) => void subscribe(event)}
    >
      <label htmlFor={id}>Your e-mail address</label>
      <div className={styles.line}>
        <input
          ref={input}
          id={id}
          type="email"
          name="email"
          autoComplete="email"
          maxLength={newsletterLimits.email}
          required
          disabled={done}
          aria-invalid={failed?.invalid || undefined}
          aria-describedby={`${id}-said`}
          onInput={onTyped}
        />
        <button className={button.button} disabled={done || state.is === 'subscribing'}>
          {done ? 'Subscribed!' : state.is === 'subscribing' ? 'Subscribing...' : 'Subscribe'}
        </button>
      </div>
      <input type="hidden" name="l" value={list} />
      <input type="hidden" name="name" value="" />
      <div
        id={`${id}-said`}
        role="status"
        className={styles.said}
        data-bad={failed ? '' : undefined}
      >
        {failed && <p>{failed.message}</p>}
        {done && <p>{newsletterMessages.thanks}</p>}
        {done && isOurs && <p>One click in the mail that we have sent you confirms it.</p>}
      </div>
    </form>
  )
}

/** What becomes of the address that somebody types. */
function useSubscription(action: string, list: string) {
  const input = useRef<HTMLInputElement>(null)
  const [state, setState] = useState<State>({ is: 'idle' })

  async function subscribe(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (state.is === 'subscribing' || state.is === 'subscribed') return
    const email = input.current?.value.trim() ?? ''
    if (!looksLikeEmail(email)) {
      setState({ is: 'error', message: newsletterMessages.invalid, invalid: true })
      input.current?.focus()
      return
    }
    setState({ is: 'subscribing' })
    try {
      // At once: a new tab is only opened while the press of the button is fresh.
      postInNewTab(action, { email, l: list, name: '' })
      await moment()
      setState({ is: 'subscribed' })
      if (input.current) input.current.value = ''
      track('newsletter_subscribed')
    } catch (error) {
      logError(error)
      const message = error instanceof Error ? error.message : newsletterMessages.unexpected
      setState({ is: 'error', message, invalid: false })
    }
  }

  return {
    input,
    state,
    subscribe,
    /** Takes back what was said about the address before. */
    onTyped: () => state.is === 'error' && setState({ is: 'idle' }),
  }
}

/** Long enough for a screen reader and an eye to notice that something goes on. */
const moment = () => new Promise<void>((resolve) => void setTimeout(resolve, 250))
