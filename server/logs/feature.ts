import { paths } from '#shared/paths.ts'
import type { Feature, Platform } from '../feature.ts'
import { mailMessage } from '../mail/layout.ts'
import { mailbox } from '../mail/message.ts'
import { html } from '../markup.ts'
import { createAlerts, type Alert } from './alerts.ts'
import { logRoutes } from './routes.ts'
import { createViewers } from './viewers.ts'

/** The log: mails about its errors, and what stands in it of people. */
export function logFeature(platform: Platform): Feature {
  const { config, clock, commit, mails, ring } = platform
  const inbox = mailbox(config.mail.staff)
  const viewers = createViewers(ring, { clock })
  const look = createAlerts({ ring, mails, commit, clock })
  return {
    name: 'logs',
    routes: (http) => logRoutes(platform, http, viewers),
    drain: viewers.end,
    disallowedPaths: ['/debug/'],
    mailTemplates: {
      logAlert: {
        keptDays: 30,
        render({ data }, brand) {
          const { errors, messages } = JSON.parse(data ?? '{}') as Alert
          const message = mailMessage(brand, {
            subject: `Website: ${errors} ${errors === 1 ? 'error' : 'errors'} in the log`,
            headline: `${errors} ${errors === 1 ? 'error' : 'errors'} in the log`,
            body: html`<ul style="margin:0 0 16px;padding-left:20px">
              ${messages.map(({ text, count }) => html`<li>${count} × ${text}</li>`)}
            </ul>`,
            button: { label: 'Open the log', url: brand.siteUrl + paths.logs() },
            small: 'The next mail of this kind comes in an hour at the earliest.',
          })
          return { to: inbox, message }
        },
      },
    },
    jobs: [
      {
        kind: 'logs.alert',
        about: 'mails staff when the log has many errors',
        recurs: { everyMinutes: 1 },
        run: look,
      },
    ],
    personalData: [
      {
        name: 'log',
        policy: [
          {
            what: 'Keeping the service safe',
            data: 'Time, path, status, and your network address without its last part',
            ground: 'Our legitimate interest in a site that works (Art. 6(1)(f))',
            kept: 'In the log of the server, until newer lines take the place of the oldest; never joined with your message',
          },
        ],
        forgottenBy: { by: 'the rotation of the log files' },
        find: () => [],
        note: 'The log carries request ids and shortened networks, and e-mail addresses only masked, so nothing in it can be found or erased by address. New lines push the oldest out.',
      },
    ],
  }
}
