import { useState } from 'react'
import type { Entries, FieldErrors } from '#shared/forms/form.ts'
import {
  looksLikeEmail,
  newsletterLimits,
  newsletterMessages,
  newsletterPaths,
  ownList,
} from '#shared/newsletter.ts'
import { toResult } from '#shared/forms/result.ts'
import type { SiteConfig } from '#shared/site-config.ts'
import { track } from '../analytics/track.ts'
import { useForm } from '../forms/use-form.ts'
import { logError } from '../site/log.ts'
import button from '../ui/button.module.css'
import styles from './newsletter-form.module.css'

/** While the configuration is on its way, our own list. */
const own: SiteConfig['newsletter'] = { action: newsletterPaths.form(), list: ownList, own: true }

/** The field; a fixed id, since server and browser render the form in different trees. */
const id = 'newsletter-email'

/**
 * The newsletter form of the footer (docs/contract.md, Newsletter). Without scripts it posts as it
 * stands, into a new tab too.
 * @param target where to, and for which list
 */
export function NewsletterForm({ target }: { target: SiteConfig['newsletter'] | undefined }) {
  const { action: address, list, own: isOurs } = target ?? own
  const action = isOurs ? toResult(address) : address
  const [isDone, setDone] = useState(false)
  const subscribe = async (
    { email: typed = '' }: Entries,
    form: HTMLFormElement,
  ): Promise<FieldErrors | null> => {
    const email = typed.trim()
    if (!looksLikeEmail(email)) return { email: newsletterMessages.invalid }
    try {
      // At once: a new tab is only opened while the press of the button is fresh.
      postInNewTab(action, { email, l: list, name: '' })
      await moment()
      setDone(true)
      form.reset()
      track('newsletter_subscribed')
      return null
    } catch (error) {
      logError(error)
      return { request: error instanceof Error ? error.message : newsletterMessages.unexpected }
    }
  }
  const { errors, isSending, formProps } = useForm(subscribe)
  const wrong = errors.email ?? errors.request

  return (
    <form
      method="post"
      action={action}
      target="_blank"
      rel="noopener"
      className={styles.form}
      {...formProps}
    >
      <label htmlFor={id}>Email address</label>
      <div className={styles.line}>
        <input
          id={id}
          type="email"
          name="email"
          autoComplete="email"
          maxLength={newsletterLimits.email}
          required
          disabled={isDone}
          aria-invalid={errors.email ? true : undefined}
          aria-describedby={`${id}-said`}
        />
        <button className={button.button} disabled={isDone || isSending}>
          {isDone ? 'Subscribed!' : isSending ? 'Subscribing...' : 'Subscribe'}
        </button>
      </div>
      <input type="hidden" name="l" value={list} />
      <input type="hidden" name="name" value="" />
      <div
        id={`${id}-said`}
        role="status"
        className={styles.said}
        data-bad={wrong ? '' : undefined}
      >
        {wrong && <p>{wrong}</p>}
        {isDone && <p>{newsletterMessages.thanks}</p>}
        {isDone && isOurs && <p>Check your inbox and click the link to confirm.</p>}
      </div>
    </form>
  )
}

/** Long enough for a screen reader and an eye to notice that something goes on. */
const moment = () => new Promise<void>((resolve) => void setTimeout(resolve, 250))

/** Posts fields as a form of its own into a new tab (docs/contract.md, Newsletter). */
function postInNewTab(action: string, fields: Readonly<Record<string, string>>): void {
  const form = document.createElement('form')
  form.method = 'post'
  form.action = action
  form.target = '_blank'
  form.rel = 'noopener'
  form.hidden = true
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement('input')
    input.type = 'hidden'
    input.name = name
    input.value = value
    form.append(input)
  }
  document.body.append(form)
  form.submit()
  form.remove()
}
