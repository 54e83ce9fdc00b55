import { expect, test } from 'vitest'
import { contentFiles } from '../../support/content-files.ts'
import { eventually } from '../../support/eventually.ts'
import { startSite } from '../../support/site.ts'

test('shows every hero text with every photo but its own', async () => {
  const hero = (id: number, Status: string | null = 'published') => ({
    id,
    title: `T${id}`,
    photo_url: `p${id}`,
    Status,
  })
  using files = contentFiles({
    'section_hero.json': [hero(1), hero(2), hero(3), hero(4, 'draft'), hero(5, null)],
    ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((id) => [`assets/p${id}.jpg`, 'pixels'])),
  })
  await using site = await startSite({ env: { CONTENT_DIR: files.dir } })
  const pairs = new Set<string>()
  for (let variant = 0; variant < 6; variant += 1) {
    const { json } = await site.get(`/api/content/hero?variant=${variant}`)
    const { title, photo } = json as { title: string; photo: { id: string } }
    pairs.add(`${title} ${photo.id}`)
  }
  expect([...pairs].toSorted()).toEqual(['T1 p2', 'T1 p3', 'T2 p1', 'T2 p3', 'T3 p1', 'T3 p2'])
  // The few numbers that pages keep give every pair in the course of time, none of them rarely.
  files.write('section_hero.json', [hero(1), hero(2), hero(3), hero(6)])
  const seen = new Map<string, number>()
  await eventually(async () => {
    expect((await site.get('/items/section_hero')).text).toContain('T6')
  })
  for (let turns = 0; turns < 12; turns += 1) {
    for (let variant = 0; variant < 6; variant += 1) {
      const { json } = await site.get(`/api/content/hero?variant=${variant}`)
      const { title, photo } = json as { title: string; photo: { id: string } }
      seen.set(`${title} ${photo.id}`, (seen.get(`${title} ${photo.id}`) ?? 0) + 1)
    }
    site.clock.advance(10 * 60_000)
  }
  expect(seen.size).toBe(12)
  expect(new Set(seen.values())).toEqual(new Set([6]))
  const shown = async (variant: number) => {
    const { json } = await site.get(`/api/content/hero?variant=${variant}`)
    const { title, photo } = (json ?? {}) as { title?: string; photo?: { id: string } | null }
    return [title, photo?.id]
  }
  // A record without a photo lends none, and a single one has no one to borrow from.
  files.write('section_hero.json', [hero(1), { ...hero(2), photo_url: null }])
  await eventually(async () => expect(await shown(0)).toEqual(['T1', 'p1']))
  expect(await shown(1)).toEqual(['T2', 'p1'])
  // Nor does one whose file isn't there.
  files.write('section_hero.json', [hero(1), hero(2), hero(7)])
  await eventually(async () => expect(await shown(0)).toEqual(['T1', 'p2']))
  for (const variant of [3, 6, 9]) expect(await shown(variant)).toEqual(['T1', 'p2'])
  files.write('section_hero.json', [hero(3)])
  for (const variant of [0, 1, 7]) {
    await eventually(async () => expect(await shown(variant)).toEqual(['T3', 'p3']))
  }
  files.write('section_hero.json', [])
  await eventually(async () => expect((await site.get('/api/content/hero')).text).toBe('null'))
})
