import { html, type Markup } from '../text/markup.ts'
import { colours, rule, sans } from './style.ts'

const tableOf = (name: string, margin: string, size: string, rows: Markup): Markup =>
  html`<table
    class="${name}"
    width="100%"
    cellpadding="0"
    cellspacing="0"
    border="0"
    style="margin:${margin};font:${size}/1.5 ${sans}"
  >
    ${rows}
  </table>`

const months =
  'January February March April May June July August September October November December'.split(' ')

/** A text whose days, such as `5 June 2027`, no narrow column breaks. */
const withWholeDays = (value: string | Markup): string | Markup =>
  typeof value === 'string'
    ? months.reduce((text, month) => text.replaceAll(` ${month} `, `\u00a0${month}\u00a0`), value)
    : value

/**
 * A table with a head, such as the lines of an order; numbers stand right, a total in bold below a
 * thicker rule. One of words alone is a list where the email is read as text.
 */
export function dataTable(
  head: readonly string[],
  rows: readonly (readonly (string | Markup)[])[],
  { right = [], total = false }: { right?: readonly number[]; total?: boolean } = {},
): Markup {
  const align = (index: number) => (right.includes(index) ? 'right' : 'left')
  const weight = (at: number) =>
    total && at === rows.length - 1 ? { rule: '2px', font: 700 } : { rule: '1px', font: 400 }
  // A narrow column breaks no amount between its sign and its digits.
  const cell = (index: number) =>
    `padding:8px ${index === head.length - 1 ? 0 : 12}px 8px 0;vertical-align:top${right.includes(index) ? ';white-space:nowrap' : ''}`
  const row = right.length === 0 ? 'thing' : ''
  return tableOf(
    right.length === 0 ? '' : 'columns',
    '0 0 20px',
    '14px',
    html`
      <thead>
        <tr class="${row}">
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
          (cells, at) =>
            html`<tr class="${row}">
              ${cells.map(
                (value, index) =>
                  html`<td
                    class="ink rule ${row}"
                    align="${align(index)}"
                    style="${cell(index)};border-top:${weight(at).rule} solid ${rule[0]};color:${colours.ink[0]};font-weight:${weight(at).font}"
                  >
                    ${withWholeDays(value)}
                  </td>`,
              )}
            </tr>`,
        )}
      </tbody>
    `,
  )
}

/** A fact with the word for it. */
export type Fact = readonly [label: string, value: string | Markup]

/** Facts, one below the other. */
export function factTable(details: readonly Fact[]): Markup {
  return tableOf(
    'data',
    '8px 0 20px',
    '15px',
    html`
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
    `,
  )
}
