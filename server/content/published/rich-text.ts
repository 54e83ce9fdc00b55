import type * as sanitize from 'sanitize-html'
import type { Picture } from '#shared/content.ts'
import { assetUrl, imageSet } from '#shared/images.ts'
import { limitTags } from '../../text/html-size.ts'
import { isRasterData, type FileAddresses } from '../addresses.ts'

/**
 * Makes of the HTML of editors some that is safe to show (docs/contract.md, Content service): no
 * scripts, event handlers, styles or embeds; pictures of the content service come from our own
 * /assets. The heading of the first level is the page's own, so one in a text is of the second.
 * @param picture what is known of a picture by its file id; one that is null is left out
 */
export type CleanRichText = (
  html: string,
  picture: (id: string) => Picture | null,
) => Promise<string>

/** Creates the sanitiser. @param addresses resolves the files that links and images point to */
export function createRichTextCleaner({ assetId }: Pick<FileAddresses, 'assetId'>): CleanRichText {
  const a = link(assetId)
  return async (html, picture) => {
    // Loaded with the first text: the library takes longer than the rest of a cold start.
    const { default: sanitizeHtml } = await import('sanitize-html')
    return sanitizeHtml(limitTags(html), {
      ...richTextRules,
      transformTags: { a, h1: 'h2', img: image(assetId, picture), '*': withAnchor },
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
    const set = known && imageSet(known)
    const size =
      width && height ? { width, height } : known && { width: known.width, height: known.height }
    return {
      tagName,
      attribs: {
        src: set ? set.src : own || isUnsafeData(src.trim()) ? '' : src,
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

const isUnsafeData = (address: string) => /^data:/i.test(address) && !isRasterData(address)

const tags = [
  'p',
  'br',
  'hr',
  'b',
  'strong',
  'i',
  'em',
  'u',
  's',
  'del',
  'ins',
  'small',
  'mark',
  'sub',
  'sup',
  'abbr',
  'cite',
  'code',
  'kbd',
  'samp',
  'var',
  'pre',
  'q',
  'blockquote',
  'time',
  'span',
  'wbr',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'ul',
  'ol',
  'li',
  'dl',
  'dt',
  'dd',
  'a',
  'img',
  'table',
  'caption',
  'colgroup',
  'col',
  'thead',
  'tbody',
  'tfoot',
  'tr',
  'th',
  'td',
  'figure',
  'figcaption',
  'picture',
  'div',
  'section',
  'article',
  'aside',
  'header',
  'footer',
  'nav',
  'address',
  'details',
  'summary',
]

/** Elements whose text isn't prose: they leave with everything inside. */
const contentless = [
  'script',
  'style',
  'textarea',
  'option',
  'iframe',
  'object',
  'embed',
  'template',
  'noscript',
  'noembed',
  'noframes',
  'xmp',
  'svg',
  'math',
  'title',
]

/** What may be in rich text (docs/contract.md, Content service): no scripts, styles or embeds. */
const richTextRules: sanitize.IOptions = {
  allowedTags: tags,
  nonTextTags: contentless,
  allowedAttributes: {
    '*': ['class', 'id', 'lang', 'dir', 'title'],
    a: ['href', 'target', 'rel', 'hreflang', 'download'],
    img: ['src', 'srcset', 'sizes', 'alt', 'width', 'height', 'loading', 'decoding'],
    time: ['datetime'],
    ol: ['start', 'reversed', 'type'],
    li: ['value'],
    col: ['span'],
    colgroup: ['span'],
    th: ['colspan', 'rowspan', 'scope', 'headers'],
    td: ['colspan', 'rowspan', 'headers'],
    blockquote: ['cite'],
    q: ['cite'],
    details: ['open'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel', 'sms'],
  allowedSchemesByTag: { img: ['http', 'https', 'data'] },
  allowedSchemesAppliedToAttributes: ['href', 'src', 'cite'],
  allowProtocolRelative: false,
  nestingLimit: 60,
  // A picture whose address was refused, or whose file is gone, would ask for the page itself.
  exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !attribs.src,
}
