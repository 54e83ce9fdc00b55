import { paths } from '#shared/paths.ts'
import type { Feature, Platform } from '../feature.ts'
import { mailMessage } from '../mail/layout.ts'
import { mailbox } from '../mail/message.ts'
import { html } from '../text/markup.ts'
import { createAlerts, type Alert } from './alerts.ts'
import { createViewers } from './viewers.ts'

/** The log: emails about its errors, and what is in it of people. */
export function logFeature(platform: Platform): Feature {
  const { config, clock, commit, mails, recentLog } = platform
  const inbox = mailbox(config.mail.staff)
  const viewers = createViewers(recentLog, { clock })
  const look = createAlerts({ recentLog, mails, commit, clock })
  return {
    name: 'logs',
    async routes(http) {
      const { logRoutes } = await import('./routes.ts')
      logRoutes(platform, http, viewers)
    },
    release: viewers.close,
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
            small: 'At most one of these an hour.',
          })
          return { to: inbox, message }
        },
      },
    },
    jobs: [
      {
        kind: 'logs.alert',
        about: 'emails staff when the log has many errors',
        waitsForTrustedClock: false,
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
            data: 'Time, path, status, and your IP address without its last part',
            ground: 'Our legitimate interest in a site that works (Art. 6(1)(f))',
            kept: 'In the server log, until newer lines replace it; never combined with your message',
          },
        ],
        forgottenBy: { by: 'the rotation of the log files' },
        find: () => [],
        note: 'The log holds request IDs, shortened IP addresses and masked email addresses, so nothing in it can be found or erased by address. New lines replace the oldest.',
      },
    ],
  }
}
