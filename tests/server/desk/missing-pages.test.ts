import { expect, test } from 'vitest'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { share } from '../../support/shared-folder.ts'
import { startSite } from '../../support/site.ts'
import { signIn } from '../../support/staff.ts'

test('a page that isn’t there leads staff back to the desk, clients to their panel, and others home', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  const staff = await signIn(site, ['desk'])
  const client = await signIn(site, ['view'], { name: 'Nordic Rally Team' })
  const folder = await share(site, 'rally', { 'a.jpg': 'a' })
  await site.context.features.folders.acts.revoke(folder, 'test')
  const waysOf = async (path: string, status: number, headers: Record<string, string> = {}) => {
    const reply = await site.get(path, { headers })
    expect([path, reply.status]).toEqual([path, status])
    const [ways = ''] = /<main.*<\/main>/s.exec(reply.text) ?? []
    return Array.from(
      ways.matchAll(/<a href="([^"]*)"[^>]*>([^<]*)</g),
      ([, href, name]) => `${name} ${href}`,
    )
  }
  const desk = 'Back to the desk /desk'
  for (const path of ['bookings/NOPE-1234', 'tickets/zzzzzz', 'orders/NOPE', 'folders/nope']) {
    expect(await waysOf(`/desk/${path}`, 404, staff.headers)).toEqual([desk, 'Back to Home /'])
  }
  expect(await waysOf('/desk/a/b/c', 404, staff.headers)).toEqual([desk, 'Return to Home /'])
  // By the link of an email that has ended, too.
  expect(await waysOf('/desk/nothing', 404)).toEqual([desk, 'Back to Home /'])
  const panel = 'Back to your panel /panel'
  const nowhere = '/s/0000000000000000000000'
  expect(await waysOf(nowhere, 404, client.headers)).toEqual([panel, 'Return to Home /'])
  expect(await waysOf(nowhere, 404)).toEqual(['Return to Home /'])
  const closed = `/s/${folder.key}`
  expect((await waysOf(closed, 410, client.headers)).at(-1)).toBe(panel)
  expect((await waysOf(closed, 410)).at(-1)).toBe('Return to Home /')
})
