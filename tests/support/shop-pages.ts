import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { startSite } from './site.ts'

/** A print of the sample catalogue, and its page. */
export const print = { handle: 'blue-hour-fine-art-print', variant: '30x40-matte' }
export const printPage = `/shop/products/${print.handle}`

/** The site with its built pages; no email leaves it. */
export const startWithPages = async (env: Record<string, string> = {}) =>
  startSite({ env, sending: false, renderer: await builtRenderer(dist) })

/** What a hidden field of a page's form holds; empty where there is none. */
export const hidden = (html: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? ''
