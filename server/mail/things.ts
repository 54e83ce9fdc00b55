import type { DeskGroup } from '#shared/desk/lines.ts'
import { paths } from '#shared/paths.ts'
import { html, type Markup } from '../text/markup.ts'
import { accent, colours, onAccent, rule, sans } from './style.ts'

/** A small button, such as one of several in a list. */
export const smallButton = ({ label, url }: { label: string; url: string }): Markup =>
  html`<a
    class="button"
    href="${url}"
    style="display:inline-block;padding:8px 14px;background:${accent};color:${onAccent};font:700 14px/1.2 ${sans};text-decoration:none"
    >${label}</a
  >`

/**
 * A group of things that wait for staff below its title, each with a button that opens its page; where
 * there are more, a link leads to all of them at the desk.
 */
export function thingList({ title: heading, total, lines }: DeskGroup, siteUrl: string): Markup {
  return html`${listHeading(`${heading} (${total})`)}
    <table
      role="presentation"
      width="100%"
      cellpadding="0"
      cellspacing="0"
      border="0"
      style="margin:0 0 20px"
    >
      ${lines.map(
        ({ title, detail, href }) =>
          html`<tr class="thing">
            <td
              class="ink rule thing"
              style="padding:12px 16px 12px 0;border-top:1px solid ${rule[0]};font:15px/1.45 ${sans};color:${colours.ink[0]};vertical-align:top;word-break:break-word"
            >
              <strong>${title}</strong><br /><span class="soft" style="color:${colours.soft[0]}"
                >${detail}</span
              >
            </td>
            <td
              class="rule thing"
              align="right"
              width="80"
              style="padding:12px 0;border-top:1px solid ${rule[0]};vertical-align:top;white-space:nowrap"
            >
              ${href === null ? null : smallButton({ label: 'Open', url: siteUrl + href })}
            </td>
          </tr>`,
      )}
    </table>
    ${
      total > lines.length
        ? html`<p
            class="soft"
            style="margin:0 0 20px;font:14px/1.5 ${sans};color:${colours.soft[0]}"
          >
            <a
              class="soft"
              style="color:${colours.soft[0]}"
              href="${siteUrl}${paths.deskGroup(heading)}"
              >Show all ${total}</a
            >
          </p>`
        : null
    }`
}

/** A heading above a list in an email. */
export const listHeading = (text: string): Markup =>
  html`<h2 class="ink" style="margin:28px 0 10px;font:700 17px/1.3 ${sans};color:${colours.ink[0]}">
    ${text}
  </h2>`
