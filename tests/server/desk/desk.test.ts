import { expect, test } from 'vitest'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { startSite } from '../../support/site.ts'
import { signIn } from '../../support/staff.ts'

test('the desk asks for a code, and opens for none but codes of staff', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  const client = await signIn(site, ['view', 'manage'])
  for (const headers of [{}, client.headers]) {
    const { status, text, headers: sent } = await site.get('/desk', { headers })
    expect(status).toBe(200)
    expect(text).toContain('Enter your code')
    expect(sent['x-robots-tag']).toContain('noindex')
    expect(sent['cache-control']).toContain('no-store')
  }
  const asked = await site.get('/desk?q=Aino+Virtanen&problem=short')
  expect(asked.text).toContain('name="next" value="/desk?q=Aino+Virtanen"')
  const month = await site.get('/desk/stats?period=month')
  expect(month.text).toContain('name="next" value="/desk/stats?period=month"')
  const staff = await signIn(site, ['desk'], { name: 'Noora' })
  const { text } = await site.get('/desk', { headers: staff.headers })
  expect(text).toContain('>Today</h1>')
  const found = await site.get('/desk?q=nobody-of-this-name', { headers: staff.headers })
  expect(found.text).toContain('Nothing found')
})
