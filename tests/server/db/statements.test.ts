import { expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { openContext } from '#server/context.ts'
import { noPages, startSite } from '../../support/site.ts'

// A server prepares each statement by its first use, so that its start doesn't wait for hundreds; a
// mistake in one that is seldom used shows here.
test('the database takes every statement of the site', async () => {
  await using site = await startSite()
  const context = await openContext(site.context.config, {
    preparing: 'at once',
    log: { level: 'fatal', write() {} },
  })
  try {
    await createApp(context, noPages)
    expect(() => context.db.prepare('SELECT 1 FROM nowhere')).toThrow('no such table')
  } finally {
    await context.close()
  }
})
