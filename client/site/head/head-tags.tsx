import { useLayoutEffect } from 'react'
import { headTags, type HeadTags as Tags } from '#shared/seo/head-tags.ts'
import type { HeadTagsProps } from '../deferred.tsx'
import { removeWrittenHead } from './head.tsx'

/** Marks what the server wrote, which is taken out when another page has its own head. */
const written = import.meta.env.SSR ? { 'data-head': '' } : {}

/** The elements of a page's head. */
export function HeadTags({
  type = 'website',
  hidden = false,
  address,
  record,
  ...rest
}: HeadTagsProps) {
  const { origin, pathname, search, brand, ...own } = rest
  const seo = address ? null : record
  const tags: Tags = headTags({ ...own, hidden }, seo, { origin, pathname, search, brand })
  const { image } = tags
  const canonical = address ? origin + address : tags.canonical
  useLayoutEffect(removeWrittenHead, [])
  useLayoutEffect(() => {
    document.title = tags.title
  }, [tags.title])
  return (
    <>
      {import.meta.env.SSR && <title>{tags.title}</title>}
      {tags.description && <meta name="description" content={tags.description} {...written} />}
      {tags.keywords && <meta name="keywords" content={tags.keywords} {...written} />}
      {tags.hidden ? (
        <meta name="robots" content="noindex" {...written} />
      ) : (
        <link rel="canonical" href={canonical} {...written} />
      )}
      <meta property="og:type" content={type} {...written} />
      <meta property="og:site_name" content={brand} {...written} />
      <meta property="og:locale" content="en_GB" {...written} />
      <meta property="og:title" content={tags.ogTitle} {...written} />
      {tags.ogDescription && (
        <meta property="og:description" content={tags.ogDescription} {...written} />
      )}
      <meta property="og:url" content={canonical} {...written} />
      <meta property="og:image" content={image.url} {...written} />
      {image.width && <meta property="og:image:width" content={String(image.width)} {...written} />}
      {image.height && (
        <meta property="og:image:height" content={String(image.height)} {...written} />
      )}
      <meta property="og:image:alt" content={image.alt} {...written} />
      <meta name="twitter:card" content="summary_large_image" {...written} />
    </>
  )
}
