import { expect, test } from 'vitest'
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
