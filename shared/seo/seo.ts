import type { SiteSettings } from '../content.ts'
import { paths } from '../paths.ts'
import type { Dispatch } from '../shop/delivery-words.ts'
import { returnPolicy, shippingDetails } from './delivery-terms.ts'
import type { Thing } from './json-ld.ts'

/** Who is behind the site, as structured data needs it. */
export type Publisher = {
  /** The public origin, without a slash at its end. */
  origin: string
  identity: Partial<SiteSettings> & { brand: string; email: string }
}

const organizationId = (origin: string) => `${origin}/#organization`

/** The agency by name, for things that belong to it. */
function organizationName({ origin, identity }: Publisher): Thing {
  return {
    '@type': 'Organization',
    '@id': organizationId(origin),
    name: identity.brand,
    url: `${origin}/`,
  }
}

/**
 * The agency, with its contact details (docs/contract.md, SEO and feeds); the home page carries it.
 */
export function organization(publisher: Publisher): Thing {
  const { origin, identity } = publisher
  const { email, phone, street, city, country, postal_code: postalCode } = identity
  return {
    ...organizationName(publisher),
    legalName: identity.legal_name ?? undefined,
    description: identity.about ?? undefined,
    slogan: identity.tagline ?? undefined,
    foundingDate: identity.founded ? String(identity.founded) : undefined,
    vatID: identity.vat_id ?? undefined,
    logo: logo(origin),
    image: `${origin}/og-image.jpg`,
    email,
    telephone: phone ?? undefined,
    address: {
      '@type': 'PostalAddress',
      streetAddress: street ?? undefined,
      postalCode: postalCode ?? undefined,
      addressLocality: city ?? 'Helsinki',
      addressCountry: country ?? 'Finland',
    },
    sameAs: Object.values(identity.social ?? {}),
    contactPoint: {
      '@type': 'ContactPoint',
      contactType: 'customer service',
      url: origin + paths.contactPage(),
      email,
      telephone: phone ?? undefined,
      availableLanguage: ['English', 'Finnish'],
    },
  }
}

const logo = (origin: string): Thing => ({
  '@type': 'ImageObject',
  url: `${origin}/icon-512.png`,
  width: 512,
  height: 512,
})

/** The site and how to search it. */
export function website({ origin, identity }: Publisher): Thing {
  return {
    '@type': 'WebSite',
    '@id': `${origin}/#website`,
    name: identity.brand,
    url: `${origin}/`,
    inLanguage: 'en',
    publisher: { '@id': organizationId(origin) },
    potentialAction: {
      '@type': 'SearchAction',
      target: {
        '@type': 'EntryPoint',
        urlTemplate: `${origin}${paths.search()}?q={search_term_string}`,
      },
      'query-input': 'required name=search_term_string',
    },
  }
}

/** A service of the agency; `image` absolute or a path, `priceFrom` in euro cents without VAT. */
export function service(
  given: {
    title: string
    description?: string | null
    path: string
    image?: string | null
    priceFrom?: number | null
  },
  publisher: Publisher,
): Thing {
  const { origin } = publisher
  const url = origin + given.path
  return {
    '@type': 'Service',
    '@id': `${url}#service`,
    name: given.title,
    serviceType: given.title,
    description: given.description ?? undefined,
    url,
    image: given.image ? absolute(given.image, origin) : undefined,
    provider: organizationName(publisher),
    areaServed: ['Finland', 'Europe', 'North America'],
    offers: given.priceFrom
      ? {
          '@type': 'Offer',
          url,
          priceSpecification: {
            '@type': 'PriceSpecification',
            minPrice: given.priceFrom / 100,
            priceCurrency: 'EUR',
            valueAddedTaxIncluded: false,
          },
        }
      : undefined,
  }
}

/** A product with what each way to buy it costs; prices in euro cents including VAT. */
export function product(
  given: {
    title: string
    description: string
    path: string
    images: readonly string[]
    category: string
    /** Working days until it leaves; null for what is not sent. */
    dispatch: Dispatch | null
    offers: readonly {
      variant: string
      sku: string
      title: string
      price: number
      soldOut: boolean
      /** Grams, of what is sent. */
      weight?: number | undefined
    }[]
  },
  publisher: Publisher,
): Thing {
  const { origin } = publisher
  const url = origin + given.path
  const seller = organizationName(publisher)
  const { dispatch } = given
  return {
    '@type': 'Product',
    '@id': `${url}#product`,
    name: given.title,
    description: given.description,
    url,
    category: given.category,
    image: given.images.map((image) => absolute(image, origin)),
    brand: { '@type': 'Brand', name: publisher.identity.brand },
    offers: given.offers.map(({ variant, sku, title, price, soldOut, weight = 0 }) => ({
      '@type': 'Offer',
      name: title,
      sku,
      url: `${url}?variant=${encodeURIComponent(variant)}`,
      price: (price / 100).toFixed(2),
      priceCurrency: 'EUR',
      availability: `https://schema.org/${soldOut ? 'SoldOut' : 'InStock'}`,
      itemCondition: 'https://schema.org/NewCondition',
      seller,
      ...(dispatch && {
        shippingDetails: shippingDetails(weight, dispatch),
        hasMerchantReturnPolicy: returnPolicy(origin),
      }),
    })),
  }
}

/**
 * An event: the caller's fields over the defaults (docs/contract.md, SEO and feeds). A field that
 * is undefined leaves the default; null takes it away; an object replaces the default's whole.
 */
export function event(given: Thing, publisher: Publisher): Thing {
  const { origin, identity } = publisher
  const defaults: Thing = {
    '@type': 'Event',
    name: `Motorsport event with ${identity.brand}`,
    eventStatus: 'https://schema.org/EventScheduled',
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    location: {
      '@type': 'Place',
      name: identity.country ?? 'Finland',
      address: { '@type': 'PostalAddress', addressCountry: identity.country ?? 'Finland' },
    },
    image: `${origin}/og-image.jpg`,
    organizer: organizationName(publisher),
  }
  const said = Object.entries(given).filter(([, value]) => value !== undefined)
  const merged = Object.entries({ ...defaults, ...Object.fromEntries(said) })
  return Object.fromEntries(merged.filter(([, value]) => value !== null))
}

/** An article of the news; times as ISO text, `image` absolute or a path. */
export function newsArticle(
  given: {
    slug: string
    title: string
    excerpt?: string | null
    publishedAt: string
    updatedAt?: string | null
    author?: string | null
    category?: string | null
    tags?: readonly string[] | null
    image?: string | null
  },
  publisher: Publisher,
): Thing {
  const { origin } = publisher
  const url = origin + paths.article(given.slug)
  return {
    '@type': 'NewsArticle',
    '@id': `${url}#article`,
    headline: given.title,
    description: given.excerpt ?? undefined,
    image: [absolute(given.image ?? '/og-image.jpg', origin)],
    datePublished: given.publishedAt,
    dateModified: given.updatedAt ?? given.publishedAt,
    author: given.author ? { '@type': 'Person', name: given.author } : organizationName(publisher),
    publisher: { ...organizationName(publisher), logo: logo(origin) },
    mainEntityOfPage: url,
    articleSection: given.category ?? undefined,
    keywords: given.tags?.length ? given.tags.join(', ') : undefined,
    inLanguage: 'en',
  }
}

/** The way to a page from the home page, which is added; the last step is the page itself. */
export function breadcrumbs(
  steps: readonly { name: string; path: string }[],
  { origin }: Pick<Publisher, 'origin'>,
): Thing {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: [{ name: 'Home', path: paths.home() }, ...steps].map(
      ({ name, path }, index) => ({
        '@type': 'ListItem',
        position: index + 1,
        name,
        item: origin + path,
      }),
    ),
  }
}

/** A case of the portfolio: what was made, where, and when. */
export function creativeWork(
  given: {
    slug: string
    title: string
    description: string
    year: number | null
    event: string | null
    location: string | null
    discipline: string | null
    image: string | null
    film?: {
      src: string
      poster: string | null
      seconds: number | null
      published: string | null
    } | null
  },
  publisher: Publisher,
): Thing {
  const { origin } = publisher
  const { film } = given
  const url = origin + paths.project(given.slug)
  return {
    '@type': 'CreativeWork',
    '@id': `${url}#work`,
    url,
    name: given.title,
    description: given.description || undefined,
    image: given.image ? [absolute(given.image, origin)] : undefined,
    dateCreated: given.year ? String(given.year) : undefined,
    genre: given.discipline ?? undefined,
    about: given.event ? { '@type': 'Thing', name: given.event } : undefined,
    locationCreated: given.location ? { '@type': 'Place', name: given.location } : undefined,
    creator: organizationName(publisher),
    // Search engines take no film without a picture and a day.
    video:
      film?.poster && film.published
        ? {
            '@type': 'VideoObject',
            name: given.title,
            description: given.description || given.title,
            contentUrl: absolute(film.src, origin),
            thumbnailUrl: [absolute(film.poster, origin)],
            uploadDate: film.published,
            duration: film.seconds ? `PT${film.seconds}S` : undefined,
          }
        : undefined,
  }
}

/** The questions that a page shows, and no others; answers may be HTML, whose links get our origin. */
export function faqPage(
  questions: readonly { question: string; answer: string }[],
  { origin }: Pick<Publisher, 'origin'>,
): Thing {
  return {
    '@type': 'FAQPage',
    mainEntity: questions.map(({ question, answer }) => ({
      '@type': 'Question',
      name: question,
      acceptedAnswer: {
        '@type': 'Answer',
        text: answer.replaceAll(/ (href|src)="\/(?!\/)/g, (_, name) => ` ${name}="${origin}/`),
      },
    })),
  }
}

const absolute = (address: string, origin: string) =>
  address.startsWith('/') ? origin + address : address
