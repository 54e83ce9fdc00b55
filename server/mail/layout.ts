import { textOfMail } from '../text/mail-text.ts'
import { html, type Markup } from '../text/markup.ts'
import { accent, colours, display, onAccent, rule, sans, style } from './style.ts'
import type { Brand, Message } from './message.ts'
import { factTable, type Fact } from './tables.ts'

/** What an email consists of; everything but subject and headline may be left out. */
export type MailContent = {
  subject: string
  /** The first words that an inbox shows beside the subject. */
  preheader?: string
  headline: string
  /** What the email is about, once and large: "Your ticket number: abc123". */
  number?: string
  body?: Markup | readonly Markup[]
  /** What comes next, a step each. */
  next?: readonly (Markup | string)[]
  button?: { label: string; url: string }
  /** Facts, one below the other. */
  details?: readonly Fact[]
  /** Below the details: a longer text, a table of order lines. */
  more?: Markup | readonly Markup[]
  /** In small letters at the end: why the recipient gets this email. */
  small?: Markup | string
}

/**
 * Puts an email together in the look of the site: readable without style sheets, in light and dark,
 * with a plain-text part of the same words.
 */
export function mailMessage(
  brand: Brand,
  content: MailContent,
): Pick<Message, 'subject' | 'html' | 'text' | 'button'> {
  // The indentation of templates would be a third of the email.
  const markup = documentOf(brand, content).markup.replaceAll(/\n\s*/g, '\n')
  const { subject, button } = content
  return { subject, html: markup, text: textOfMail(markup), ...(button && { button }) }
}

/** Paragraphs of a plain text; its line breaks stay. */
export const paragraphs = (text: string): Markup[] =>
  text
    .split(/\n{2,}/)
    .filter((part) => part.trim() !== '')
    .map((part) => html`<p style="margin:0 0 16px">${withBreaks(part)}</p>`)

/** Paragraphs, the last of which is a form to fill in and is in a box. */
export const boxedLast = (parts: readonly Markup[]): Markup[] => [
  ...parts.slice(0, -1),
  html`<div
    class="rule"
    style="margin:0 0 16px;padding:16px 16px 0;border:1px solid ${rule[0]};line-height:2"
  >
    ${parts.slice(-1)}
  </div>`,
]

/** A text on one line or several, without markup of its own. */
function withBreaks(text: string): Markup[] {
  return text.split('\n').map((line, index) => (index === 0 ? html`${line}` : html`<br />${line}`))
}

const list = (part: Markup | readonly Markup[] | undefined): Markup[] =>
  part === undefined ? [] : 'markup' in part ? [part] : [...part]

/** The button, and a plain link for those who cannot press it. */
const buttonOf = ({ label, url }: { label: string; url: string }): Markup =>
  html`<p style="margin:24px 0 8px">
      <a
        class="button"
        href="${url}"
        style="display:inline-block;padding:14px 24px;background:${accent};color:${onAccent};font:700 16px/1.2 ${sans};text-decoration:none"
        >${label}</a
      >
    </p>
    <p class="soft skip" style="margin:0 0 24px;font:13px/1.5 ${sans};color:${colours.soft[0]}">
      Button not working?
      <a class="link" href="${url}" style="color:${colours.link[0]}">Copy this link</a>
    </p>`

/** Three kerb stones, as before the name on the site; mail programs that know no slant show bars. */
const stones: Markup = {
  markup: `<span class="skip" aria-hidden="true">${[accent, null, accent]
    .map(
      (colour) =>
        `<span${colour ? '' : ' class="stone"'} style="display:inline-block;width:8px;height:15px;margin:0 2px;background:${colour ?? colours.ink[0]};transform:skewX(-18deg)"></span>`,
    )
    .join('')}</span>`,
}

const headOf = (subject: string): Markup =>
  html`<head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <meta name="color-scheme" content="light dark" />
    <meta name="supported-color-schemes" content="light dark" />
    <title>${subject}</title>
    ${style}
  </head>`

/** The name of the site above an email. */
const nameRow = (brand: Brand): Markup =>
  html`<tr>
    <td
      class="ink pad"
      style="padding:26px 32px 0;font:700 17px/1.2 ${sans};color:${colours.ink[0]}"
    >
      ${stones} ${brand.name}
    </td>
  </tr>`

/** Below an email: why it was sent, and by whom. */
const smallPrint = (brand: Brand, small: MailContent['small']): Markup =>
  html`<tr>
    <td
      class="soft rule pad"
      style="padding:18px 32px 26px;border-top:1px solid ${rule[0]};font:13px/1.5 ${sans};color:${colours.soft[0]}"
    >
      ${small ? html`<p style="margin:0 0 8px">${small}</p>` : null}
      <p style="margin:0">${brand.imprint || brand.name}</p>
    </td>
  </tr>`

function documentOf(brand: Brand, content: MailContent): Markup {
  const { subject, preheader, headline, number, body, next, button, details, more, small } = content
  return html`<!doctype html>
    <html lang="en">
      ${headOf(subject)}
      <body class="ground" style="margin:0;padding:0;background:${colours.ground[0]}">
        ${preheader ? html`<div class="skip" style="display:none;max-height:0;overflow:hidden">${preheader}</div>` : null}
        <table
          role="presentation"
          class="ground"
          width="100%"
          cellpadding="0"
          cellspacing="0"
          border="0"
          style="background:${colours.ground[0]}"
        >
          <tr>
            <td align="center" style="padding:24px 12px">
              <table
                role="presentation"
                class="sheet"
                width="100%"
                cellpadding="0"
                cellspacing="0"
                border="0"
                style="max-width:600px;background:${colours.sheet[0]};text-align:left"
              >
                <tr class="skip">
                  <td style="background:${accent};height:6px;line-height:6px;font-size:0">
                    &nbsp;
                  </td>
                </tr>
                ${nameRow(brand)}
                <tr>
                  <td
                    class="ink pad"
                    style="padding:18px 32px 28px;font:16px/1.6 ${sans};color:${colours.ink[0]};word-break:break-word"
                  >
                    <h1
                      style="margin:0 0 20px;font:800 26px/1.2 ${display};color:${colours.ink[0]}"
                    >
                      ${headline}
                    </h1>
                    ${
                      number
                        ? html`<p
                            style="margin:0 0 20px;padding:14px 0;border-top:2px solid ${accent};border-bottom:2px solid ${accent};font:700 22px/1.3 ${sans};letter-spacing:.5px"
                          >
                            ${number}
                          </p>`
                        : null
                    }
                    ${list(body)} ${next && next.length > 0 ? steps(next) : null}
                    ${button ? buttonOf(button) : null} ${details ? factTable(details) : null}
                    ${list(more)}
                  </td>
                </tr>
                ${smallPrint(brand, small)}
              </table>
            </td>
          </tr>
        </table>
      </body>
    </html>`
}

const steps = (next: readonly (Markup | string)[]): Markup =>
  html`<h2 style="margin:24px 0 8px;font:700 17px/1.3 ${sans}">What happens next</h2>
    <ul style="margin:0 0 16px;padding-left:20px">
      ${next.map((step) => html`<li style="margin:0 0 6px">${step}</li>`)}
    </ul>`
