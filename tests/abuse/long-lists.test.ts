import { expect, test } from 'vitest'
import { eventOf, season } from '../support/content-events.ts'
import { eventually } from '../support/eventually.ts'
import { fileId, startLongDirectus } from '../support/long-directus.ts'
import { longestTurn } from '../support/longest-turn.ts'
import { startSite } from '../support/site.ts'

/** Milliseconds of work in one turn: what the collection of garbage takes, and no list at once. */
const maxWork = 150

const pace = { fresh: 500, tick: 25 }

test('a Directus with 100 000 files and 5 000 articles does not hold up the event loop', async () => {
  await using directus = await startLongDirectus()
  await using site = await startSite({ env: { CONTENT_URL: directus.url }, contentTiming: pace })
  const { content } = site.context
  const shown = async () => {
    const [row] = (await content.rows('news')).filter(({ id }) => id === 0)
    return { title: row?.title, alt: (await content.picture(fileId(0)))?.alt }
  }
  const alt = (edit: number) => `Edit ${edit}, with "quotes", [brackets] and {braces} \\`
  const seen = (edit: number) =>
    eventually(
      async () => expect(await shown()).toEqual({ title: `Edit ${edit}`, alt: alt(edit) }),
      120_000,
    )
  expect(await longestTurn(() => seen(0))).toBeLessThan(maxWork)
  expect(await content.picture(fileId(99_999))).toMatchObject({ width: 6000, alt: '' })
  expect(await content.rows('news')).toHaveLength(5_000)

  await directus.edit()
  expect(await longestTurn(() => seen(1))).toBeLessThan(maxWork)
})

test('a season of 10 000 events holds up no one when its calendar, sitemap and search are made', async () => {
  using calendar = season(
    Array.from({ length: 10_000 }, (_, at) =>
      eventOf({
        id: `e${at}`,
        title: `Rally ${at}`,
        start: `20${27 + (at % 5)}-0${1 + (at % 9)}-1${at % 9}T10:00`,
        end: `20${27 + (at % 5)}-0${1 + (at % 9)}-1${at % 9}T18:00`,
        zone: 'Europe/Rome',
      }),
    ),
  )
  await using site = await startSite({ env: { CONTENT_DIR: calendar.directory } })
  const asked = async (path: string, says: string) =>
    eventually(async () => expect((await site.get(path)).text).toContain(says), 60_000)
  // What code is loaded first is not counted.
  await asked('/api/health', 'ok')
  const work = await longestTurn(async () => {
    await asked('/calendar.ics', 'SUMMARY:Rally 9999')
    await asked('/sitemap.xml', '/calendar/e9999')
    await asked('/api/search?q=rally%209999', '/calendar/e9999')
  })
  expect(work).toBeLessThan(maxWork)
})
