import { textOfMail } from '../text/mail-text.ts'
import { html, type Markup } from '../markup.ts'
import type { Brand, Message } from './message.ts'

/** What a mail consists of; everything but subject and headline may be left out. */
export type MailParts = {
  subject: string
  /** The first words that an inbox shows beside the subject. */
  preheader?: string
  headline: string
  /** What the mail is about, once and large: "Your ticket number: abc123". */
  number?: string
  body?: Markup | readonly Markup[]
  /** What comes next, a step each. */
  next?: readonly string[]
  button?: { label: string; url: string }
  /** Facts, one below the other. */
  details?: readonly (readonly [label: string, value: string | Markup])[]
  /** Below the details: a longer text, a table of order lines. */
  more?: Markup | readonly Markup[]
  /** In small letters at the end: why somebody gets this mail. */
  small?: Markup | string
}

/** Colours of the site, by light and dark. */
const colours = {
  ground: ['#f6f4ef', '#0b0d10'],
  sheet: ['#fffefb', '#13171c'],
  ink: ['#12151a', '#f4f1ea'],
  soft: ['#565c65', '#b9bec6'],
  link: ['#b3200b', '#ff8a70'],
} as const

const accent = '#ff4d23'
const onAccent = '#12151a'
const rule = ['#dcd9d2', '#2a3037'] as const
const sans = 'Arial,Helvetica,sans-serif'
const display = `'Arial Black','Archivo Expanded',${sans}`

/** Rules for one dark environment; mail programs without style sheets keep the light look. */
const dark = (scope: string) =>
  [
    `${scope}.ground{background:${colours.ground[1]}!important}`,
    `${scope}.sheet{background:${colours.sheet[1]}!important}`,
    `${scope}.ink,${scope}.ink p,${scope}.ink h1,${scope}.ink h2,${scope}.ink h3{color:${colours.ink[1]}!important}`,
    `${scope}.soft,${scope}.ink .soft,${scope}.ink figcaption{color:${colours.soft[1]}!important}`,
    `${scope}.link,${scope}.ink a:not(.button){color:${colours.link[1]}!important}`,
    `${scope}.rule{border-color:${rule[1]}!important}`,
    `${scope}.stone{background:${colours.ink[1]}!important}`,
    `${scope}.button{color:${onAccent}!important;background:${accent}!important}`,
  ].join('')

// Outlook on the web and its apps mark their dark mode by an attribute instead of asking the system.
const style: Markup = {
  markup: `<style>:root{color-scheme:light dark;supported-color-schemes:light dark}body{margin:0}@media (prefers-color-scheme:dark){${dark('')}}${dark('[data-ogsc] ')}@media (max-width:480px){.pad{padding-left:20px!important;padding-right:20px!important}}</style>`,
}

/**
 * Puts a mail together in the look of the site: readable without style sheets, in light and dark,
 * with a plain-text part of the same words.
 */
export function mailMessage(
  brand: Brand,
  parts: MailParts,
): Pick<Message, 'subject' | 'html' | 'text'> {
  // The indentation of templates would be a third of the mail.
  const markup = documentOf(brand, parts).markup.replaceAll(/\n\s*/g, '\n')
  return { subject: parts.subject, html: markup, text: textOfMail(markup) }
}

/** Paragraphs of a plain text; its line breaks stay. */
export const paragraphs = (text: string): Markup[] =>
  text
    .split(/\n{2,}/)
    .filter((part) => part.trim() !== '')
    .map((part) => html`<p style="margin:0 0 16px">${withBreaks(part)}</p>`)

/** A text on one line or several, without markup of its own. */
function withBreaks(text: string): Markup[] {
  return text.split('\n').map((line, index) => (index === 0 ? html`${line}` : html`<br />${line}`))
}

/** A table with a head, such as the lines of an order; numbers stand right. */
export function dataTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { right = [] }: { right?: readonly number[] } = {},
): Markup {
  const align = (index: number) => (right.includes(index) ? 'right' : 'left')
  const cell = (index: number) =>
    `padding:8px ${index === head.length - 1 ? 0 : 12}px 8px 0;vertical-align:top`
  return html`<table
    class="data"
    width="100%"
    cellpadding="0"
    cellspacing="0"
    border="0"
    style="margin:0 0 20px;font:14px/1.5 ${sans}"
  >
    <thead>
      <tr>
        ${head.map(
          (name, index) =>
            html`<th
              class="soft"
              align="${align(index)}"
              style="${cell(index)};color:${colours.soft[0]};font-weight:400"
            >
              ${name}
            </th>`,
        )}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (row) =>
          html`<tr>
            ${row.map(
              (value, index) =>
                html`<td
                  class="ink rule"
                  align="${align(index)}"
                  style="${cell(index)};border-top:1px solid ${rule[0]};color:${colours.ink[0]}"
                >
                  ${value}
                </td>`,
            )}
          </tr>`,
      )}
    </tbody>
  </table>`
}

/** Facts, one below the other. */
function factTable(details: NonNullable<MailParts['details']>): Markup {
  return html`<table
    class="data"
    width="100%"
    cellpadding="0"
    cellspacing="0"
    border="0"
    style="margin:8px 0 20px;font:15px/1.5 ${sans}"
  >
    ${details.map(
      ([label, value]) =>
        html`<tr>
          <th
            class="soft rule"
            align="left"
            width="128"
            style="padding:9px 16px 9px 0;border-top:1px solid ${rule[0]};color:${colours.soft[0]};font-weight:400;vertical-align:top"
          >
            ${label}
          </th>
          <td
            class="ink rule"
            style="padding:9px 0;border-top:1px solid ${rule[0]};color:${colours.ink[0]};vertical-align:top;word-break:break-word"
          >
            ${value}
          </td>
        </tr>`,
    )}
  </table>`
}

const list = (part: Markup | readonly Markup[] | undefined): Markup[] =>
  part === undefined ? [] : 'markup' in part ? [part] : [...part]

/** The button, and its address for those who cannot press it. */
const buttonOf = ({ label, url }: { label: string; url: string }): Markup =>
  html`<p style="margin:24px 0 8px">
      <a
        class="button"
        href="${url}"
        style="display:inline-block;padding:14px 24px;background:${accent};color:${onAccent};font:700 16px/1.2 ${sans};text-decoration:none"
        >${label}</a
      >
    </p>
    <p
      class="soft skip"
      style="margin:0 0 24px;font:13px/1.5 ${sans};color:${colours.soft[0]};word-break:break-all"
    >
      ${url}
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

function documentOf(brand: Brand, parts: MailParts): Markup {
  const { subject, preheader, headline, number, body, next, button, details, more, small } = parts
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>${subject}</title>
        ${style}
      </head>
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
                <tr>
                  <td
                    class="ink pad"
                    style="padding:26px 32px 0;font:700 17px/1.2 ${sans};color:${colours.ink[0]}"
                  >
                    ${stones} ${brand.name}
                  </td>
                </tr>
                <tr>
                  <td
                    class="ink pad"
                    style="padding:18px 32px 28px;font:16px/1.6 ${sans};color:${colours.ink[0]}"
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
                <tr>
                  <td
                    class="soft rule pad"
                    style="padding:18px 32px 26px;border-top:1px solid ${rule[0]};font:13px/1.5 ${sans};color:${colours.soft[0]}"
                  >
                    ${small ? html`<p style="margin:0 0 8px">${small}</p>` : null}
                    <p style="margin:0">${brand.imprint || brand.name}</p>
                  </td>
                </tr>
              </table>
            </td>
          </tr>
        </table>
      </body>
    </html>`
}

const steps = (next: readonly string[]): Markup =>
  html`<h2 style="margin:24px 0 8px;font:700 17px/1.3 ${sans}">What happens next</h2>
    <ul style="margin:0 0 16px;padding-left:20px">
      ${next.map((step) => html`<li style="margin:0 0 6px">${step}</li>`)}
    </ul>`
