import { paths } from '#shared/paths.ts'
import { stockAlertPaths } from '#shared/shop/stock-alerts.ts'
import { mailMessage, paragraphs } from '../../mail/layout.ts'
import type { MailTemplate } from '../../mail/template.ts'
import { html } from '../../text/markup.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { titleOf } from '../cart/pricing.ts'
import { unconfirmedDays, waitingDays, type StockAlerts } from './store.ts'

/** What a queued link remembers: the secret of its alert. */
export type AlertData = { secret: string }

/** What a queued alert remembers, since its own row has gone by then. */
export type BackData = { email: string; variant: number }

/** The emails of stock alerts: the link that confirms one, and the one that was asked for. */
export function stockAlertMails(
  catalogue: Catalogue,
  alerts: StockAlerts,
): Record<'stockAlertConfirm' | 'stockAlertBack', MailTemplate> {
  const named = (variant: number) => {
    const product = catalogue.ofVariant(variant)
    const chosen = product?.variants.find(({ id }) => id === variant)
    return product && chosen ? { product, chosen, title: titleOf(product, chosen) } : null
  }
  return {
    stockAlertConfirm: {
      keptDays: 30,
      render({ data }, brand) {
        const alert = alerts.find((JSON.parse(data!) as AlertData).secret)
        const thing = alert && named(alert.variant)
        if (!alert || !thing) return { skip: 'the alert is gone' }
        if (alert.confirmedAt !== null) return { skip: 'already confirmed' }
        return {
          to: { name: '', address: alert.email },
          message: mailMessage(brand, {
            subject: `Tell you when it’s back: ${thing.title}?`,
            preheader: 'One click, and we’ll email you once.',
            headline: 'Shall we email you when it’s back?',
            body: html`<p style="margin:0 0 16px">
              Someone (hopefully you) asked us to email this address once
              <strong>${thing.title}</strong> is back in our shop.
            </p>`,
            button: {
              label: 'Yes, email me',
              url: brand.siteUrl + stockAlertPaths.confirm(alert.secret),
            },
            more: paragraphs(
              `The link works for ${unconfirmedDays} days. If it isn’t back within ${waitingDays} days, we delete your address.`,
            ),
            small: 'Not you? Ignore this email, and you won’t hear from us.',
          }),
        }
      },
    },

    stockAlertBack: {
      keptDays: 30,
      render({ data }, brand) {
        const { email, variant } = JSON.parse(data!) as BackData
        const thing = named(variant)
        if (!thing) return { skip: 'no longer sold' }
        const { product, chosen, title } = thing
        const address = `${paths.product(product.handle)}?variant=${encodeURIComponent(chosen.variant)}`
        return {
          to: { name: '', address: email },
          message: mailMessage(brand, {
            subject: `Back in stock: ${title}`,
            preheader: 'You asked us to tell you.',
            headline: 'It’s back',
            body: html`<p style="margin:0 0 16px">
              <strong>${title}</strong> is in stock again. You asked us to tell you.
              ${chosen.stock !== null && chosen.stock <= 10 ? 'There are only a few.' : ''}
            </p>`,
            button: { label: 'See it in the shop', url: brand.siteUrl + address },
            small: 'This was the only email about it. We’ve deleted your request.',
          }),
        }
      },
    },
  }
}
