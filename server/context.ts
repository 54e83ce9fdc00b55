import type { Config } from './config.ts'
import { collectContributions } from './contributions/contributions.ts'
import type { Contributions, Feature, Platform } from './feature.ts'
import { createFeatures, type Features } from './features.ts'
import { openPlatform, type OpenPlatform, type PlatformOptions } from './platform.ts'

/** The platform and all features; built once, passed in. */
export type Context = Omit<OpenPlatform, 'shut'> & {
  readonly features: Features
  /** Lets go of everything; twice is harmless. */
  close(): Promise<void>
}

/** What replaces or adds parts, for tests and for the CLI's quiet log. */
export type ContextOptions = PlatformOptions & {
  /** Features in addition to those of `features.ts`. */
  features?: readonly ((platform: Platform) => Feature)[]
}

/**
 * Opens the platform and collects what features give. Nothing runs by itself afterwards: the server
 * starts the outbox, the jobs and what features do in the background, the CLI only reads and writes.
 * @throws when the database cannot be used
 */
export async function openContext(config: Config, options: ContextOptions = {}): Promise<Context> {
  // Features are made from the platform, which in turn hands out what all of them give.
  let given: Contributions | null = null
  const { close: closePlatform, ...platform } = await openPlatform(config, options, () => given)
  const features = createFeatures(platform)
  const all = [
    ...Object.values<Feature>(features),
    ...(options.features ?? []).map((make) => make(platform)),
  ]
  given = collectContributions(all)
  for (const feature of all) await feature.prepare?.()

  let closing: Promise<void> | null = null
  const close = () => {
    platform.contributions().release()
    return closePlatform(async () => {
      for (const feature of all) await feature.close?.()
    })
  }
  return { ...platform, features, close: () => (closing ??= close()) }
}
