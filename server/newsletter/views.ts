import { newsletterMessages, newsletterPaths, newsletterPolicy } from '#shared/newsletter.ts'
import { paths } from '#shared/paths.ts'
import { resultId, toResult } from '#shared/forms/result.ts'
import type { PlainPage } from '../http/replies/plain-page.ts'
import { html, type Markup } from '../text/markup.ts'

const home = html`<p class="way"><a href="${paths.home()}">Return to Home</a></p>`

/** A form with nothing but its button: what a link in an email leads to, since opening it changes nothing. */
const button = (action: string, label: string): Markup =>
  html`<form method="post" action="${toResult(action)}"><button>${label}</button></form>`

/**
 * The subscription form.
 * @param email what was entered
 * @param error what is wrong with it
 */
export const formView = (list: string, email = '', error: string | null = null): PlainPage => ({
  title: 'Newsletter',
  body: html`<h1>Newsletter</h1>
    <p>${newsletterPolicy.text}</p>
    <form method="post" action="${toResult(newsletterPaths.form())}" novalidate>
      <label
        >Email
        <input
          type="email"
          name="email"
          autocomplete="email"
          value="${email}"
          ${error === null ? null : html`id="${resultId}" aria-invalid="true" aria-describedby="email-wrong"`}
        />
        ${error === null ? null : html`<span class="wrong" id="email-wrong">${error}</span>`}
      </label>
      <input type="hidden" name="l" value="${list}" />
      <input type="hidden" name="name" value="" />
      <div class="trap" aria-hidden="true">
        <label>Leave this empty <input name="nonce" tabindex="-1" autocomplete="off" /></label>
      </div>
      <button>Subscribe</button>
    </form>`,
})

/** The form with the message about an address that is none. */
export const invalidView = (list: string, email: string) =>
  formView(list, email, newsletterMessages.invalid)

/** The answer to every valid request, whether the address is new, known or blocked. */
export const askedView: PlainPage = {
  title: 'Confirm in your inbox',
  body: html`<h1 id="${resultId}" tabindex="-1">One more step: confirm in your inbox</h1>
    <p role="status">
      We’ve emailed you a link, unless you’re already subscribed. Open it and click the button to
      confirm.
    </p>
    <p>
      Nothing after ten minutes? Check your spam folder. We send one of these every 24 hours at
      most.
    </p>
    ${home}`,
}

/** A list that we do not have. */
export const unknownListView: PlainPage = {
  title: 'Unknown list',
  body: html`<h1 id="${resultId}" tabindex="-1">Unknown list</h1>
    <p>The form you used is for a newsletter we don’t have.</p>
    <p class="way"><a href="${newsletterPaths.form()}">Subscribe to our newsletter</a></p>`,
}

/** What the link of a confirmation email opens. */
export const confirmView = (token: string): PlainPage => ({
  title: 'Confirm your subscription',
  body: html`<h1 id="${resultId}" tabindex="-1">Confirm your subscription</h1>
    <p>${newsletterPolicy.text}</p>
    ${button(newsletterPaths.confirm(token), 'Confirm subscription')}`,
})

/** After the confirmation. */
export const confirmedView: PlainPage = {
  title: 'You’re subscribed',
  body: html`<h1 id="${resultId}" tabindex="-1">You’re subscribed</h1>
    <p role="status">You’re in.</p>
    ${home}`,
}

/** A confirmation link that is older than seven days. */
export const expiredView = (token: string): PlainPage => ({
  title: 'This link has expired',
  body: html`<h1 id="${resultId}" tabindex="-1">This link has expired</h1>
    <p>Confirmation links work for seven days. We can send you a new one.</p>
    ${button(newsletterPaths.again(token), 'Send again')}`,
})

/** A confirmation link that means nothing: broken on its way, or from before the subscriber left. */
export const brokenLinkView: PlainPage = {
  title: 'This link doesn’t work',
  body: html`<h1 id="${resultId}" tabindex="-1">This link doesn’t work</h1>
    <p>It’s incomplete, or it dates from before you unsubscribed.</p>
    <p class="way"><a href="${newsletterPaths.form()}">Subscribe again</a></p>`,
}

/** What the unsubscribe link of an email opens. */
export const leaveView = (token: string): PlainPage => ({
  title: 'Unsubscribe',
  body: html`<h1 id="${resultId}" tabindex="-1">Unsubscribe</h1>
    <p>One click and we’ll stop sending you the newsletter.</p>
    ${button(newsletterPaths.leave(token), 'Unsubscribe')}`,
})

/** After leaving, however often. */
export const leftView: PlainPage = {
  title: 'You’ve been unsubscribed',
  body: html`<h1 id="${resultId}" tabindex="-1">You’ve been unsubscribed</h1>
    <p role="status">We won’t send you the newsletter again.</p>
    <p class="way"><a href="${newsletterPaths.form()}">Subscribe again</a></p>
    ${home}`,
}

/** An unsubscribe link that belongs to no subscriber. */
export const notSubscribedView: PlainPage = {
  title: 'This link doesn’t work',
  body: html`<h1 id="${resultId}" tabindex="-1">This link doesn’t work</h1>
    <p>No address on our list has this link: it’s incomplete, or the address was erased.</p>
    <p>If you still get the newsletter, use the whole link at the end of its latest issue.</p>
    ${home}`,
}

/** Anything else that went wrong. */
export const failedView = ({ message }: { message: string }): PlainPage => ({
  title: 'That didn’t work',
  body: html`<h1 id="${resultId}" tabindex="-1">That didn’t work</h1>
    <p>${message}</p>
    ${home}`,
})
