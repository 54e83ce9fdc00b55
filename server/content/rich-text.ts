import type * as sanitize from 'sanitize-html'
import type { Picture } from '#shared/content.ts'
import { assetUrl, imageSet } from '#shared/images.ts'
import { withFewTags } from '../text/html-size.ts'
import { isRasterData } from './addresses.ts'
import type { FileAddresses } from './file-addresses.ts'
import { richTextRules } from './rich-text-rules.ts'

/**
 * Makes of the HTML of editors some that is safe to show (docs/contract.md, Content service): no
 * scripts, event handlers, styles or embeds; pictures of the content service come from our own
 * /assets.
 * @param picture what is known of a picture by its file id
 */
export type CleanRichText = (
  html: string,
  picture: (id: string) => Picture | null,
) => Promise<string>

/** Makes the cleaner. @param addresses finds the files that links and pictures lead to */
export function createRichTextCleaner({ assetId }: Pick<FileAddresses, 'assetId'>): CleanRichText {
  const a = link(assetId)
  return async (html, picture) => {
    // Loaded with the first text: the library takes longer than the rest of a cold start.
    const { default: sanitizeHtml } = await import('sanitize-html')
    return sanitizeHtml(withFewTags(html), {
      ...richTextRules,
      transformTags: { a, img: image(assetId, picture), '*': withAnchor },
    })
  }
}

/** Ids of articles never meet those of the page. */
const anchor = (id: string) => `text-${id}`

const withAnchor: sanitize.Transformer = (tagName, attribs) => ({
  tagName,
  attribs: attribs.id ? { ...attribs, id: anchor(attribs.id) } : attribs,
})

const link =
  (assetId: FileAddresses['assetId']): sanitize.Transformer =>
  (tagName, { href, target, ...rest }) => {
    const id = href === undefined ? undefined : assetId(href)
    const address = id === href ? href : assetUrl(id!)
    return {
      tagName,
      attribs: {
        ...rest,
        ...(address !== undefined && { href: address.replace(/^#(?=.)/, `#${anchor('')}`) }),
        ...(target === '_blank' && { target, rel: 'noopener' }),
      },
    }
  }

const image =
  (
    assetId: FileAddresses['assetId'],
    picture: (id: string) => Picture | null,
  ): sanitize.Transformer =>
  (tagName, { src = '', alt, title, width, height }) => {
    const id = assetId(src)
    const own = id !== src
    const known = own ? picture(id) : null
    const set = own ? imageSet(known ?? id) : null
    const size =
      width && height ? { width, height } : known && { width: known.width, height: known.height }
    return {
      tagName,
      attribs: {
        src: set ? set.src : /^data:/i.test(src.trim()) && !isRasterData(src.trim()) ? '' : src,
        ...(set?.srcSet && { srcset: set.srcSet, sizes: '(min-width: 48rem) 46rem, 100vw' }),
        alt: alt ?? known?.alt ?? '',
        ...(title && { title }),
        ...(size?.width &&
          size.height && { width: String(size.width), height: String(size.height) }),
        loading: 'lazy',
        decoding: 'async',
      },
    }
  }
