import type { Contributions, Feature } from '../feature.ts'

/**
 * Puts together what features give.
 * @throws when two of them use the same name for a feature, email, job, block, check or data
 */
export function collectContributions(features: readonly Feature[]): Contributions {
  const all = <Value>(pick: (feature: Feature) => readonly Value[] | undefined) =>
    features.flatMap((feature) => pick(feature) ?? [])
  const templates = all(({ mailTemplates }) => Object.entries(mailTemplates ?? {}))
  const names = all(({ thingNames }) => Object.entries(thingNames ?? {}))
  const nameOf = new Map(names)
  const found = {
    jobs: all(({ jobs }) => jobs),
    panelBlocks: all(({ panelBlocks }) => panelBlocks),
    pages: all(({ pages }) => pages),
    search: all(({ search }) => search),
    overview: all(({ overview }) => overview),
    files: all(({ files }) => files),
    personalData: all(({ personalData }) => personalData),
    signs: all(({ signs }) => signs),
    doctor: all(({ doctor }) => doctor),
    desk: all(({ desk }) => (desk ? [desk] : [])),
    footerLinks: all(({ footerLinks }) => footerLinks),
    disallowedPaths: all(({ disallowedPaths }) => disallowedPaths),
    privatePaths: all(({ privatePaths }) => privatePaths),
  }
  unique('features', features, ({ name }) => name)
  unique('mail templates', templates, ([kind]) => kind)
  unique('names of things', names, ([thing]) => thing)
  unique('jobs', found.jobs, ({ kind }) => kind)
  unique('panel blocks', found.panelBlocks, ({ kind }) => kind)
  unique('search sources', found.search, ({ kind }) => kind)
  unique('file sets', found.files, ({ name }) => name)
  unique('places of personal data', found.personalData, ({ name }) => name)
  return {
    features,
    ...found,
    mailTemplates: new Map(templates),
    async sitemap() {
      const entries = features.map(async (feature) => (await feature.sitemap?.()) ?? [])
      return (await Promise.all(entries)).flat()
    },
    async searchPages() {
      const pages = features.map(async (feature) => (await feature.searchPages?.()) ?? [])
      return (await Promise.all(pages)).flat()
    },
    thingName: (thing, thingId) => nameOf.get(thing)?.(thingId) ?? thingId,
    pictures: () => all((feature) => feature.pictures?.()),
    health: () => Object.assign({}, ...features.map((feature) => feature.health?.() ?? {})),
    digest: () =>
      all((feature) => feature.digest?.())
        .filter(({ count }) => count > 0)
        .map(({ one, ...line }) => (one && line.count === 1 ? { ...line, what: one } : line)),
    findSession(cookies, now) {
      for (const feature of features) {
        const session = feature.findSession?.(cookies, now)
        if (session) return session
      }
      return null
    },
    origins: {
      form: all(({ origins }) => origins?.form),
      script: all(({ origins }) => origins?.script),
      connect: all(({ origins }) => origins?.connect),
    },
    reservedPaths: new Set(all(({ reservedPaths }) => reservedPaths)),
    secretFields: new Set(all(({ secretFields }) => secretFields)),
    start() {
      for (const feature of features) feature.start?.()
    },
    release() {
      for (const feature of features) feature.release?.()
    },
  }
}

function unique<Value>(what: string, values: readonly Value[], nameOf: (value: Value) => string) {
  const seen = new Set<string>()
  for (const name of values.map(nameOf)) {
    if (seen.has(name)) throw new Error(`Two of the ${what} are named ${name}.`)
    seen.add(name)
  }
}
