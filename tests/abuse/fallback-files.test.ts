import { expect, test } from 'vitest'
import { cacheFiles } from '#server/http/replies/cached-files.ts'

test('the stand-in of a file that cannot be made is made once for all requests', async () => {
  let made = 0
  const files = cacheFiles(
    {
      name: 'picture',
      paths: ['/picture.jpg'],
      version: () => '1',
      make: () => Promise.reject(new Error('the content service is down')),
      fallback() {
        made += 1
        return new Map([
          ['/picture.jpg', { type: 'image/jpeg', body: 'drawn', cacheControl: 'public' }],
        ])
      },
    },
    { headers: {}, log: { warn() {} } },
  )
  const replies = await Promise.all(
    Array.from({ length: 100 }, async () => files.find('/picture.jpg')),
  )
  for (let time = 0; time < 100; time += 1) replies.push(await files.find('/picture.jpg'))
  for (const reply of replies) {
    expect(reply?.identity.bytes.toString()).toBe('drawn')
    expect(reply?.identity.ok).toContain('no-cache')
  }
  expect(made).toBe(1)
})
