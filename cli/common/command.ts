import type { Config } from '#server/config.ts'
import type { Context } from '#server/context.ts'

/** The configuration, read on first use. @throws ConfigError */
export type UseConfig = () => Config

/** The context, opened on first use, so asking for help touches nothing. */
export type UseContext = () => Promise<Context>
