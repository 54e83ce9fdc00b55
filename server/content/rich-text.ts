import type * as sanitize from 'sanitize-html'
import type { Picture } from '#shared/content.ts'
import { assetUrl, imageSet } from '#shared/images.ts'
import { withFewTags } from '../text/html-size.ts'
import { isRasterData } from './addresses.ts'

/** Cleans the rich text of editors. */
export type RichText = {
  /**
   * HTML that is safe to show (docs/contract.md, Content service): no scripts, event handlers, styles
   * or embeds; pictures of the content service come from our own /assets.
   * @param picture what is known of a picture by its file id
   */
  clean(html: string, picture: (id: string) => Picture | null): Promise<string>
  /** The file id in an address of the content service's assets path, else the value itself. */
  assetId(value: string): string
  /** What raw HTML may show or link to: ids of files, and addresses of pictures that lie elsewhere. */
  pictures(html: string): string[]
  /** Raw HTML, or any text, with the files of the content service under our own addresses. */
  withOwnAddresses(html: string): string
}

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

/** Elements whose text is no prose: they leave with everything inside. */
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

const ownFiles = /\/assets\/([\w-]{1,80})/g
const foreignPictures =
  /<img\b[^>]{0,2000}?\bsrc\s{0,9}=\s{0,9}["']?(https?:\/\/[^"'\s>]{1,2000})/gi

/** Ids of articles never meet those of the page. */
const anchor = (id: string) => `text-${id}`

/**
 * Makes the cleaner.
 * @param contentUrls the addresses of a Directus, whose asset addresses become our own; editors may
 *   know it by another one than the server does
 */
export function createRichText({ contentUrls }: { contentUrls: readonly string[] }): RichText {
  const bases = contentUrls.map((url) => new URL(url))
  /** The path beneath the content service; null for an address that is somewhere else. */
  const pathOf = (value: string): string | null => {
    if (/^\/(?!\/)/.test(value)) return value
    if (!/^(?:https?:)?\/\//i.test(value) || !URL.canParse(value, 'https://site.invalid'))
      return null
    const { host, pathname } = new URL(value, 'https://site.invalid')
    const base = bases.find((each) => each.host === host)
    const prefix = base?.pathname.replace(/\/+$/, '')
    return prefix !== undefined && pathname.startsWith(prefix)
      ? pathname.slice(prefix.length)
      : null
  }
  const assetId = (value: string) =>
    pathOf(value.trim())?.match(/^\/assets\/([\w-]{1,80})(?:\.\w{1,8})?(?:[/?#].*)?$/)?.[1] ?? value

  const link: sanitize.Transformer = (tagName, { href, target, ...rest }) => {
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
    (picture: (id: string) => Picture | null): sanitize.Transformer =>
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

  const foreignFiles = bases.map(({ host, pathname }) => {
    const place = `${host}${pathname.replace(/\/+$/, '')}`
    return new RegExp(`(?:https?:)?//${RegExp.escape(place)}/assets/`, 'gi')
  })

  return {
    assetId,
    withOwnAddresses: (html) =>
      foreignFiles.reduce((text, address) => text.replaceAll(address, '/assets/'), html),
    pictures: (html) => [
      ...[...html.matchAll(ownFiles)].map(([, id]) => id!),
      ...[...html.matchAll(foreignPictures)].map(([, address]) => address!),
    ],
    async clean(html, picture) {
      // Loaded with the first text: the library takes longer than the rest of a cold start.
      const { default: sanitize } = await import('sanitize-html')
      return sanitize(withFewTags(html), {
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
        transformTags: {
          a: link,
          img: image(picture),
          '*': (tagName, attribs) => ({
            tagName,
            attribs: attribs.id ? { ...attribs, id: anchor(attribs.id) } : attribs,
          }),
        },
        // A picture whose address was refused would ask for the page itself.
        exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !attribs.src,
      })
    },
  }
}
