import { deskGroup } from '#server/contributions/desk-source.ts'
import { Router } from 'express'
import * as z from 'zod/mini'
import type { Feature, Platform } from '#server/feature.ts'
import { requestContextOf } from '#server/http/request-context.ts'
import { mailMessage } from '#server/mail/layout.ts'
import { html } from '#server/text/markup.ts'
import { searchPage } from '#server/contributions/search-source.ts'
import { endpoint, json } from '#shared/endpoint.ts'
import { startSite } from './site.ts'

const hour = 3_600_000

const getPressure = endpoint({
  method: 'GET',
  path: '/api/tyres/:name',
  input: z.object({ name: z.string() }),
  output: json<{ name: string; bar: number }>(),
})

/** What every session has beside its name and scopes. */
const fitting = { actor: 'tyre fitter', refusal: 'Fitters may not do this.', expiresAt: Infinity }

/** A small noun of its own: tyres, with everything that a feature can give. */
function tyreFeature({ clock, commit, jobs, mails, log }: Platform): Required<Feature> & {
  order(email: string): Promise<void>
  /** What the server asked of it as a whole. */
  readonly asked: string[]
} {
  const orders = new Map<string, string>()
  const asked: string[] = []
  return {
    name: 'tyres',
    routes({ endpoints, limit, mount, plain, openPath, early, refreshFiles }) {
      const many = { name: 'tyres', seconds: 60, max: 3 }
      endpoints.serve(getPressure, { limit: many, access: 'public' }, ({ name }) => ({
        name,
        bar: 1.9,
      }))
      openPath(/^\/tyres\/hook$/)
      early.take('/t/', (request, response) => {
        if (request.url !== '/t/soft') return false
        const line = early.log(request)
        response.writeHead(302, { ...early.headers, Location: '/tyres' }).end()
        line.write(302)
        return true
      })
      const router = Router()
      router.post('/tyres/hook', (_request, response) => void response.json({ taken: true }))
      router.post('/api/tyres/file', async (_request, response) => {
        await refreshFiles('tyres')
        response.json({ made: true })
      })
      router.get('/tyres/burst', () => {
        throw new Error('burst')
      })
      router.get('/tyres/who', (_request, response) => {
        const { session } = requestContextOf(response)
        response.json({ name: session?.name ?? null })
      })
      // The same limit as that of the endpoint.
      router.get('/tyres/bar', limit(many), (_, response) => void response.json({ bar: 2 }))
      router.get('/tyres', limit({ name: 'tyre-page', seconds: 60, max: 60 }), (_, response) =>
        plain.reply(response, 200, { title: 'Tyres', body: html`<h1>Tyres</h1>` }),
      )
      mount(router)
    },
    mailTemplates: {
      tyresOrdered: {
        keptDays: 1000,
        keptLonger: 'mails about tyres for three winters',
        render: ({ data }, brand) => ({
          to: { name: '', address: (JSON.parse(data!) as { email: string }).email },
          message: mailMessage(brand, { subject: 'Your tyres', headline: 'They are on their way' }),
        }),
      },
    },
    jobs: [
      {
        kind: 'tyres.deliver',
        about: 'tells somebody that tyres come',
        run: ({ key }) =>
          commit((tx) => void mails.enqueue(tx, 'tyresOrdered', { key, data: { email: key } })),
      },
      {
        kind: 'tyres.rotate',
        about: 'turns the tyres',
        recurs: { daily: '09:00' },
        run: () => log.info('tyres turned'),
      },
    ],
    signs: [{ kind: 'tyres', what: 'tokens for a set of tyres', purposes: ['tyres'] }],
    panelBlocks: [
      {
        kind: 'tyres',
        title: 'Tyres',
        by: 'system',
        load: ({ client }) => ({ view: 'text', paragraphs: [`Two sets for ${client.name}`] }),
      },
    ],
    pages: ['/tyres'],
    searchPages: () => [
      searchPage('/tyres/wall', { title: 'The tyre wall', lead: 'Old ones.' }, { names: ['wall'] }),
    ],
    overview: [
      {
        heading: 'Tyres',
        read: () => [{ text: 'Soft', path: '/tyres/soft', about: 'for [two]\nlaps' }],
      },
      { heading: 'Tyres', read: () => Promise.reject(new Error('punctured')) },
    ],
    sitemap: () => [{ path: '/tyres/soft', modifiedAt: null, image: null }],
    search: [
      {
        kind: 'tyres',
        label: 'Tyres',
        read: async () => [
          {
            id: 'soft',
            title: 'Hypersoft compound',
            tags: 'rubber',
            intro: 'Grip for two laps.',
            path: '/tyres',
          },
        ],
      },
    ],
    files: [
      {
        name: 'tyres',
        paths: ['/tyres.txt'],
        // Nothing but `refreshFiles` makes it again; the jobs of a start may change the site's version.
        version: () => 'the same',
        make: async () =>
          new Map([
            [
              '/tyres.txt',
              {
                type: 'text/plain; charset=utf-8',
                body: `soft\n${'sold\n'.repeat(orders.size)}`,
                cacheControl: 'no-cache',
              },
            ],
          ]),
        fallback: () => new Map(),
      },
    ],
    pictures: () => ['tyres'],
    personalData: [
      {
        name: 'tyre orders',
        policy: [{ what: 'Tyres', data: 'Address', ground: 'Contract', kept: '30 days' }],
        forgottenBy: { job: 'tyres.rotate' },
        find: (email) => (orders.has(email) ? [{ email, at: orders.get(email) }] : []),
        erase: (_tx, email) => ({
          erased: 0,
          kept: { count: orders.has(email) ? 1 : 0, why: 'The law of racing', until: '2030-01-01' },
        }),
      },
    ],
    health: () => ({ tyres: orders.size > 0 ? 'worn' : 'ok' }),
    doctor: [{ check: 'tyres', look: () => ({ state: 'ok', text: 'round' }) }],
    digest: () => [{ count: orders.size, what: 'sets ordered', command: 'pitlane tyres list' }],
    desk: {
      today: () =>
        deskGroup('Tyres to fit', [...orders.keys()], {
          line: (email) => ({
            label: 'Tyres',
            title: `A set for ${email}`,
            detail: 'soft',
            urgent: true,
            at: null,
            href: null,
          }),
        }),
    },
    footerLinks: [{ name: 'Tyre policy', path: '/tyres/policy' }],
    reservedPaths: ['tyres'],
    disallowedPaths: ['/tyres/depot/'],
    privatePaths: ['/tyres/set/'],
    secretFields: ['Pressure'],
    thingNames: { tyre: (id) => (id === '1' ? 'soft' : null) },
    findSession: ({ fitter }) =>
      typeof fitter === 'string' ? { ...fitting, name: fitter, scopes: new Set(['view']) } : null,
    origins: { connect: ['https://tyres.example'] },
    asked,
    prepare: () => void asked.push('prepare'),
    start: () => void asked.push('start'),
    release: () => void asked.push('release'),
    close: () => void asked.push('close'),
    async order(email) {
      orders.set(email, new Date(clock()).toISOString())
      await commit((tx) => jobs.schedule(tx, 'tyres.deliver', email, clock() + hour))
    },
  }
}

/** A site with tyres, and the feature itself. */
export async function withTyres(options: Parameters<typeof startSite>[0] = {}) {
  let made: ReturnType<typeof tyreFeature> | null = null
  const site = await startSite({
    ...options,
    features: [(platform) => (made = tyreFeature(platform))],
  })
  return { site, tyres: made!, [Symbol.asyncDispose]: () => site[Symbol.asyncDispose]() }
}
