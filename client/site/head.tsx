import { useLocation } from 'react-router'
import { useIdentity, useSite } from './identity.ts'

type Props = {
  title: string
  description: string
  keywords?: string
  /** Path or address of the picture that social networks show. */
  image?: string
  type?: 'website' | 'article'
  /** Keeps search engines away. */
  hidden?: boolean
}

/** What the head says of a page: for search engines and social networks (spec 2.3). */
export function Head({
  title,
  description,
  keywords,
  image = '/og-image.jpg',
  type = 'website',
  hidden = false,
}: Props) {
  const { pathname } = useLocation()
  const origin = useSite()?.origin ?? ''
  const { brand } = useIdentity()
  const address = origin + pathname
  const picture = /^https?:/.test(image) ? image : origin + image
  return (
    <>
      <title>{`${title} | ${brand}`}</title>
      <meta name="description" content={description} />
      {keywords && <meta name="keywords" content={keywords} />}
      {hidden ? <meta name="robots" content="noindex" /> : <link rel="canonical" href={address} />}
      <meta property="og:type" content={type} />
      <meta property="og:site_name" content={brand} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={address} />
      <meta property="og:image" content={picture} />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  )
}
