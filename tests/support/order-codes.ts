import type { Site } from './site.ts'

/** The codes of orders that were emailed or wait to be, the newest email first; their rows hold them sealed. */
export const orderCodes = ({ context }: Pick<Site, 'context'>): string[] =>
  context.mails
    .list()
    .filter(({ kind }) => kind === 'orderCode')
    .map(({ data }) => {
      const { code } = JSON.parse(data!) as { code: string }
      return context.keys.unseal('order-code', code)!.text
    })
