import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contentFiles, type ContentFiles } from '../../support/content-files.ts'
import { startDirectus } from '../../support/directus-double.ts'
import type { Reply } from '../../support/send.ts'
import { startSite, type Site } from '../../support/site.ts'

const article = (id: number, more: object = {}) => ({
  id,
  slug: `article-${id}`,
  title: `Article ${id}`,
  published_at: `2026-0${id}-01T10:00:00Z`,
  status: 'published',
  ...more,
})

const news = [
  article(1, {
    category: 'Rally',
    excerpt: 'Snow and light',
    tags: ['snow'],
    content: { $file: 'news/1.html' },
  }),
  article(2, { category: 'Drift', excerpt: null, content: '<p>Smoke</p>' }),
  article(3, { category: 'rallycross', excerpt: '100 % gravel_road' }),
  article(4, { category: null, author: 'Aino' }),
  article(5, { title: 'Draft', status: 'draft', category: 'Rally' }),
]

let files: ContentFiles
let site: Site

beforeAll(async () => {
  files = contentFiles({
    'news.json': news,
    'news/1.html': '<p>Long</p>',
    'menu_main.json': Array.from({ length: 620 }, (_, id) => ({
      id,
      title: `M${id}`,
      secret: 'x',
    })),
    'settings.json': [{ id: 1, brand: 'Pitlane', email: 'desk@example.com' }],
  })
  site = await startSite({ env: { CONTENT_DIR: files.dir } })
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  files[Symbol.dispose]()
})

const ask = (collection: string, query: Record<string, string> = {}) =>
  site.get(`/items/${collection}?${new URLSearchParams(query).toString()}`)
const rowsOf = ({ json }: Reply) => (json?.data ?? []) as { id: number }[]
const ids = async (query: Record<string, string>) =>
  rowsOf(await ask('news', query)).map(({ id }) => id)
const filtered = (filter: unknown) => ids({ filter: JSON.stringify(filter) })

describe('filters', () => {
  test.for([
    [{ id: { _eq: 2 } }, [2]],
    [{ id: { _eq: '2' } }, [2]],
    [{ id: 2 }, [2]],
    [{ category: { _eq: null } }, [4]],
    [{ category: { _neq: 'Rally' } }, [2, 3]],
    [{ category: { _in: ['Rally', 'Drift'] } }, [1, 2]],
    [{ category: { _in: 'Rally,Drift' } }, [1, 2]],
    [{ category: { _nin: ['Rally'] } }, [2, 3]],
    [{ category: { _null: true } }, [4]],
    [{ category: { _null: false } }, [1, 2, 3]],
    [{ category: { _nnull: true } }, [1, 2, 3]],
    [{ id: { _lt: 2 } }, [1]],
    [{ id: { _lte: 2 } }, [1, 2]],
    [{ id: { _gt: 3 } }, [4]],
    [{ id: { _gte: 3 } }, [3, 4]],
    [{ published_at: { _gte: '2026-03-01' } }, [3, 4]],
    [{ published_at: { _eq: '2026-03-01T10:00:00.000Z' } }, [3]],
    [{ published_at: { _lte: '$NOW' } }, [1, 2, 3, 4]],
    [{ id: { _between: [2, 3] } }, [2, 3]],
    [{ category: { _contains: 'all' } }, [1, 3]],
    [{ category: { _contains: 'Rally' } }, [1]],
    [{ category: { _icontains: 'RALLY' } }, [1, 3]],
    [{ category: { _ncontains: 'all' } }, [2]],
    [{ category: { _starts_with: 'Ra' } }, [1]],
    [{ category: { _ends_with: 'cross' } }, [3]],
    [{ excerpt: { _contains: '100 % gravel_' } }, [3]],
    [{ tags: { _contains: 'snow' } }, [1]],
    [{ content: { _contains: 'Smoke' } }, [2]],
    [{ _and: [{ id: { _gt: 1 } }, { id: { _lt: 3 } }] }, [2]],
    [{ _or: [{ id: 1 }, { category: { _null: true } }] }, [1, 4]],
    [{ id: { _or: [{ _eq: 1 }, { _eq: 4 }] } }, [1, 4]],
    [{ id: { _gt: 1, _lt: 3 } }, [2]],
    [{ id: { _gt: 1 }, category: 'Drift' }, [2]],
    [{}, [1, 2, 3, 4]],
    [{ status: 'draft' }, []],
  ] as const)('%j', async ([filter, expected]) => {
    expect(await filtered(filter)).toEqual(expected)
  })

  test('come in brackets too', async () => {
    expect(await ids({ 'filter[category][_eq]': 'Drift' })).toEqual([2])
  })

  test.for([
    ['no JSON', '{'],
    ['no object', '[1]'],
    ['an unknown operator', '{"id":{"_regex":"a"}}'],
    ['an unknown operator at the top', '{"_not":{}}'],
    ['a list that is none', '{"_and":{}}'],
    ['one value between', '{"id":{"_between":[1]}}'],
    ['too deep', '{"_and":[{"_and":[{"_and":[{"_and":[{"_and":[{"_and":[{}]}]}]}]}]}]}'],
    ['too long', JSON.stringify({ title: 'x'.repeat(4_100) })],
  ] as const)('%s is refused with 400', async ([, filter]) => {
    const { status, json } = await ask('news', { filter })
    expect(status).toBe(400)
    expect(json).toMatchObject({ errors: [{ extensions: { code: 'INVALID_QUERY' } }] })
  })

  test('never reach an object beneath the row', async () => {
    for (const name of ['__proto__', 'constructor', 'toString']) {
      const refused = name.startsWith('_') ? 400 : 403
      expect((await ask('news', { [`filter[${name}][_eq]`]: 'x' })).status).toBe(refused)
      expect((await ask('news', { filter: `{"${name}":{"_nnull":true}}` })).status).toBe(refused)
      expect((await ask('news', { sort: name })).status).toBe(403)
    }
  })
})

describe('shape', () => {
  test('gives values as they are stored, long texts in full, nulls for what is empty', async () => {
    const { json, headers } = await ask('news', {
      fields: 'id,content,author,tags,published_at',
      limit: '2',
    })
    expect(json).toEqual({
      data: [
        {
          id: 1,
          content: '<p>Long</p>',
          author: null,
          tags: ['snow'],
          published_at: '2026-01-01T10:00:00Z',
        },
        {
          id: 2,
          content: '<p>Smoke</p>',
          author: null,
          tags: null,
          published_at: '2026-02-01T10:00:00Z',
        },
      ],
    })
    expect(headers['content-type']).toMatch(/^application\/json/)
  })

  test('sorts by several fields, nulls first when ascending', async () => {
    expect(await ids({ sort: 'category' })).toEqual([4, 2, 1, 3])
    expect(await ids({ sort: '-category' })).toEqual([3, 1, 2, 4])
    expect(await ids({ sort: 'status,-id' })).toEqual([4, 3, 2, 1])
  })

  test('pages, and never gives more than 500', async () => {
    expect(await ids({ limit: '2', page: '2' })).toEqual([3, 4])
    expect(await ids({ limit: '1', offset: '2' })).toEqual([3])
    expect(await ids({ limit: '0' })).toEqual([])
    expect(await ids({ limit: '' })).toEqual([])
    const many = async (query: Record<string, string>) =>
      rowsOf(await ask('menu_main', query)).length
    expect(await many({})).toBe(100)
    expect(await many({ limit: '-1', page: '3' })).toBe(500)
    expect(await many({ limit: '9999' })).toBe(500)
  })

  test('counts', async () => {
    expect(
      (await ask('menu_main', { meta: '*', limit: '1', filter: '{"id":{"_lt":5}}' })).json?.meta,
    ).toEqual({
      total_count: 620,
      filter_count: 5,
    })
    expect((await ask('news', { meta: 'filter_count' })).json?.meta).toEqual({ filter_count: 4 })
  })

  test('searches without regard to case', async () => {
    expect(await ids({ search: 'SNOW' })).toEqual([1])
    expect(await ids({ search: 'nothing like it' })).toEqual([])
  })

  test('gives one row by its id', async () => {
    expect((await site.get('/items/news/2?fields=title')).json).toEqual({
      data: { title: 'Article 2' },
    })
    expect((await site.get('/items/news/99')).status).toBe(403)
    expect((await site.get('/items/news/5')).status).toBe(403)
  })

  test('gives settings as a list', async () => {
    expect((await ask('settings', { fields: 'brand' })).json).toEqual({
      data: [{ brand: 'Pitlane' }],
    })
  })

  test('answers 304 to the ETag of the same answer', async () => {
    const { headers } = await ask('news')
    expect(headers.etag).toMatch(/^W\//)
    expect(headers['cache-control']).toBe('no-cache')
    const again = await site.get('/items/news', { headers: { 'If-None-Match': headers.etag! } })
    expect(again.status).toBe(304)
    expect(again.text).toBe('')
  })
})

describe('refusals', () => {
  test.for([
    ['/items/users', 403, 'FORBIDDEN'],
    ['/items/__proto__', 403, 'FORBIDDEN'],
    ['/items/directus_users', 403, 'FORBIDDEN'],
    ['/items/news?fields=id,password', 403, 'FORBIDDEN'],
    ['/items/menu_main?fields=secret', 403, 'FORBIDDEN'],
    ['/items/news?sort=password', 403, 'FORBIDDEN'],
    ['/items/news?filter={"password":{"_null":true}}', 403, 'FORBIDDEN'],
    ['/items/news?limit=many', 400, 'INVALID_QUERY'],
    ['/items/news?limit=-2', 400, 'INVALID_QUERY'],
    ['/items/news?page=0', 400, 'INVALID_QUERY'],
    ['/items/news?offset=-1', 400, 'INVALID_QUERY'],
    ['/items/news?meta=secrets', 400, 'INVALID_QUERY'],
    ['/items', 404, 'ROUTE_NOT_FOUND'],
  ] as const)('%s', async ([path, status, code]) => {
    const reply = await site.get(path)
    expect(reply.status).toBe(status)
    expect(reply.json).toMatchObject({ errors: [{ extensions: { code } }] })
    expect(reply.headers['cache-control']).toBe('no-store')
  })

  test('a field that no schema names is never shown', async () => {
    expect((await ask('menu_main', { fields: '*' })).text).not.toContain('secret')
  })

  test('a broken collection is a 503 in the same shape', async () => {
    using broken = contentFiles({ 'news.json': '[' })
    await using other = await startSite({ env: { CONTENT_DIR: broken.dir } })
    const { status, json, headers } = await other.get('/items/news')
    expect(status).toBe(503)
    expect(json).toMatchObject({ errors: [{ extensions: { code: 'SERVICE_UNAVAILABLE' } }] })
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  })
})

test('answers in the same shape from a Directus behind it', async () => {
  await using directus = await startDirectus({ collections: { news: news.slice(1) } })
  await using behind = await startSite({ env: { CONTENT_URL: directus.url } })
  expect((await behind.get('/items/news?fields=id,content&limit=1')).json).toEqual({
    data: [{ id: 2, content: '<p>Smoke</p>' }],
  })
})

test.each(['fields[]=slug&fields[]=id', 'fields=slug&fields=id', 'fields[0]=slug&fields[1]=id'])(
  'takes a list as clients write it: %s',
  async (query) => {
    const { json } = await site.get(`/items/news?${query}&limit=1&sort[]=id`)
    expect(json).toEqual({ data: [{ slug: 'article-1', id: 1 }] })
  },
)
