import { html } from '../markup.ts'
import type { Brand, Message } from '../mail/messages.ts'
import type { Issue } from './issues.ts'

/**
 * An issue as a mail to one person.
 * @param leave the address that ends this person's subscription
 */
export function issueMessage(issue: Issue, who: Brand, { leave }: { leave: string }): Message {
  const why = `You get this because you confirmed your subscription to the newsletter of ${who.name}.`
  return {
    subject: issue.title,
    ...(who.email && { replyTo: { name: who.name, address: who.email } }),
    text: `${issue.title}\n\n${issue.text}\n\nOn the website: ${issue.url}\n\n-- \n${why}\nUnsubscribe: ${leave}\n${issue.imprint}\n`,
    html: page(issue, who, leave, why),
  }
}

/** Tables and inline styles are what every mail program understands. */
function page(issue: Issue, who: Brand, leave: string, why: string): string {
  const { title, excerpt, url, picture, imprint } = issue
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light" />
        <title>${title}</title>
      </head>
      <body style="margin:0;padding:0;background:#f6f4ef">
        <div style="display:none;max-height:0;overflow:hidden">${excerpt}</div>
        <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">
          <tr>
            <td align="center" style="padding:24px 12px">
              <table
                role="presentation"
                width="100%"
                cellpadding="0"
                cellspacing="0"
                border="0"
                style="max-width:600px;background:#fffefb;color:#12151a;font:16px/1.6 Arial,sans-serif;text-align:left"
              >
                <tr>
                  <td style="background:#ff4d23;height:6px;line-height:6px;font-size:0">&nbsp;</td>
                </tr>
                <tr>
                  <td style="padding:28px 28px 0;font-weight:700">${who.name}</td>
                </tr>
                <tr>
                  <td style="padding:16px 28px 24px">
                    <h1 style="margin:0;font:800 30px/1.15 'Arial Black',Arial,sans-serif">
                      ${title}
                    </h1>
                  </td>
                </tr>
                ${
                  picture &&
                  html`<tr>
                    <td>
                      <a href="${url}"
                        ><img
                          src="${picture.src}"
                          alt="${picture.alt}"
                          width="600"
                          style="display:block;width:100%;height:auto;border:0"
                      /></a>
                    </td>
                  </tr>`
                }
                <tr>
                  <td style="padding:28px 28px 8px">${{ markup: issue.html }}</td>
                </tr>
                <tr>
                  <td style="padding:0 28px 32px">
                    <a
                      href="${url}"
                      style="display:inline-block;padding:14px 22px;background:#ff4d23;color:#12151a;font-weight:700;text-decoration:none"
                      >Read on the website</a
                    >
                  </td>
                </tr>
                <tr>
                  <td
                    style="padding:20px 28px 28px;border-top:1px solid #dcd9d2;font-size:13px;line-height:1.5;color:#5c626b"
                  >
                    ${why}<br />
                    <a href="${leave}" style="color:#5c626b">Unsubscribe</a><br />
                    ${imprint}
                  </td>
                </tr>
              </table>
            </td>
          </tr>
        </table>
      </body>
    </html>`.markup
}
