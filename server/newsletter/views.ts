import { newsletterMessages, newsletterPaths, newsletterPolicy } from '#shared/newsletter.ts'
import { paths } from '#shared/paths.ts'
import type { PlainPage } from '../http/plain-page.ts'
import { html, type Markup } from '../markup.ts'

const home = html`<p class="way"><a href="${paths.home()}">Return to Home</a></p>`

/** A form with nothing but its button: what a link in a mail leads to, since opening it changes nothing. */
const button = (action: string, label: string): Markup =>
  html`<form method="post" action="${action}"><button>${label}</button></form>`

/**
 * The subscription form.
 * @param email what was entered
 * @param error what is wrong with it
 */
export const formView = (list: string, email = '', error: string | null = null): PlainPage => ({
  title: 'Newsletter',
  body: html`<h1>Newsletter</h1>
    <p>${newsletterPolicy.text}</p>
    <form method="post" action="${newsletterPaths.form()}" novalidate>
      <label
        >Email
        <input
          type="email"
          name="email"
          autocomplete="email"
          value="${email}"
          ${error === null ? null : html`aria-invalid="true" aria-describedby="email-wrong"`}
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
  body: html`<h1>One more step: confirm in your inbox</h1>
    <p role="status">
      We have sent a mail with a link, unless you are on the list already. Open it and press the
      button there; then you are subscribed.
    </p>
    <p>
      Nothing there after ten minutes? Look among the spam. We send one such mail to an address in
      24 hours.
    </p>
    ${home}`,
}

/** A list that we do not have. */
export const unknownListView: PlainPage = {
  title: 'Unknown list',
  body: html`<h1>There is no such list</h1>
    <p>The form that brought you here names a newsletter that we do not have.</p>
    <p class="way"><a href="${newsletterPaths.form()}">Subscribe to our newsletter</a></p>`,
}

/** What the link of a confirmation mail opens. */
export const confirmView = (token: string): PlainPage => ({
  title: 'Confirm your subscription',
  body: html`<h1>Confirm your subscription</h1>
    <p>${newsletterPolicy.text}</p>
    ${button(newsletterPaths.confirm(token), 'Subscribe me')}`,
})

/** After the confirmation. */
export const confirmedView: PlainPage = {
  title: 'You are subscribed',
  body: html`<h1>You are subscribed</h1>
    <p role="status">Thank you. The next story comes to your inbox.</p>
    ${home}`,
}

/** A confirmation link that is older than seven days. */
export const expiredView = (token: string): PlainPage => ({
  title: 'This link has expired',
  body: html`<h1>This link has expired</h1>
    <p>Confirmation links work for seven days. We can send you a new one.</p>
    ${button(newsletterPaths.again(token), 'Send again')}`,
})

/** A confirmation link that means nothing: broken on its way, or from before the subscriber left. */
export const voidView: PlainPage = {
  title: 'This link does not work',
  body: html`<h1>This link does not work</h1>
    <p>It is not complete, or it was used before you unsubscribed.</p>
    <p class="way"><a href="${newsletterPaths.form()}">Subscribe again</a></p>`,
}

/** What the unsubscribe link of a mail opens. */
export const leaveView = (token: string): PlainPage => ({
  title: 'Unsubscribe',
  body: html`<h1>Unsubscribe</h1>
    <p>One press, and no further newsletter comes to you.</p>
    ${button(newsletterPaths.leave(token), 'Unsubscribe me')}`,
})

/** After leaving, however often. */
export const leftView: PlainPage = {
  title: 'You are unsubscribed',
  body: html`<h1>You are unsubscribed</h1>
    <p role="status">No further newsletter comes to you.</p>
    <p class="way"><a href="${newsletterPaths.form()}">Subscribe again</a></p>
    ${home}`,
}

/** An unsubscribe link that belongs to no subscriber. */
export const nobodyView: PlainPage = {
  title: 'Nobody to unsubscribe',
  body: html`<h1>Nobody to unsubscribe</h1>
    <p>
      This link belongs to no address on our list: it is not complete, or the address was erased.
    </p>
    ${home}`,
}

/** Anything else that went wrong. */
export const failedView = ({ message }: { message: string }): PlainPage => ({
  title: 'That did not work',
  body: html`<h1>That did not work</h1>
    <p>${message}</p>
    ${home}`,
})
