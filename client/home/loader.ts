import type { LoaderFunctionArgs } from 'react-router'
import type { ApiClient } from '#shared/endpoint.ts'
import { getHero, listTestimonials } from '#shared/home.ts'
import { latestNews } from '#shared/news.ts'
import { listPortfolio } from '#shared/portfolio.ts'
import { assetUrl } from '#shared/images.ts'
import { part, siteOf, readInTime } from '../site/data/loading.ts'
import { shownPicture, pictureByWidth } from '../ui/pictures/shown-picture.ts'

/**
 * How long the browser stays on the page before, milliseconds. Parts that came later would push down
 * what a visitor who goes back was looking at, and the hero would have its default texts.
 */
const arrivalTimeout = 3000

/** What the home page shows beside the shell's services; only the hero holds up its head. */
export async function loader(args: LoaderFunctionArgs) {
  const given = siteOf(args)
  const site = { ...given, partTimeout: given.partTimeout || arrivalTimeout }
  const { api } = site
  const [hero, work, news, testimonials] = await Promise.all([
    readInTime(site, readHero(api, site.variant), null),
    part(site, readWork(api)),
    part(site, readNews(api)),
    part(site, readTestimonials(api)),
  ])
  return { hero, work, news, testimonials }
}

async function readHero(api: ApiClient, variant: number) {
  const hero = await api(getHero, { variant })
  if (!hero) return null
  const { photo, ...text } = hero
  const shown = pictureByWidth(photo, { narrow: '4:5' })
  // docs/contract.md, Pages, names the size of the picture for those who cannot choose.
  const src = photo && assetUrl(photo.id, { width: 1920, quality: 80, version: photo.version })
  return { ...text, photo: shown && src ? { ...shown, src } : null }
}

/** How many cases the home page shows: one over the whole width, and rows of two. */
const casesShown = 5

async function readWork(api: ApiClient) {
  const { projects } = await api(listPortfolio, {})
  return projects
    .filter(({ picture }) => picture !== null)
    .slice(0, casesShown)
    .map(({ slug, title, client, event, location, year, number, picture }, index) => ({
      slug,
      title,
      number,
      about: factsLine([client, event ?? location, year]),
      picture:
        index === 0
          ? pictureByWidth(picture, { wide: '21:9', narrow: '3:2' })!
          : shownPicture(picture, '3:2')!,
    }))
}

/** Facts in one line: where it's too long, none begins with a dot, and the last one takes a word along. */
const factsLine = (facts: readonly (string | number | null)[]): string =>
  facts
    .filter(Boolean)
    .map((fact, index, { length }) =>
      index > 0 && index === length - 1 ? `\u00A0${fact}` : ` ${fact}`,
    )
    .join('\u00A0·')
    .trim()

async function readNews(api: ApiClient) {
  const articles = await api(latestNews, {})
  return articles
    .slice(0, 3)
    .map(({ slug, title, excerpt, category, publishedAt, picture }, index) => ({
      slug,
      title,
      excerpt,
      category,
      publishedAt,
      picture: shownPicture(picture, index === 0 ? '3:2' : '16:9'),
    }))
}

async function readTestimonials(api: ApiClient) {
  const rows = await api(listTestimonials, {})
  return rows.slice(0, 3).map(({ quote, name, role, company }) => ({ quote, name, role, company }))
}

/** The data of the home page. */
export type HomeData = Awaited<ReturnType<typeof loader>>

/** What the hero shows. */
export type HeroData = Awaited<ReturnType<typeof readHero>>
/** A case among the work. */
export type HomeCase = Awaited<ReturnType<typeof readWork>>[number]
/** An article among the news. */
export type HomeArticle = Awaited<ReturnType<typeof readNews>>[number]
