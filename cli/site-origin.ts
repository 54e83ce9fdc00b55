import type { Config } from '#server/config.ts'
import type { RecordedOrigin } from '#server/state/site-origin.ts'

/**
 * The configuration as the command line has to see it: addresses are those of the site that the
 * server of this DATA_DIR serves, whatever the shell's environment says.
 * @param recorded what the server wrote down, null before one has run
 * @param warn told when SITE_URL of the shell is another one
 * @returns a configuration whose `siteUrl` throws as long as it is not known
 */
export function withRecordedOrigin(
  config: Config,
  recorded: RecordedOrigin | null,
  warn: (text: string) => void,
): Config {
  if (recorded) {
    if (config.siteUrlIsSet && config.siteUrl !== recorded.origin) {
      warn(
        `SITE_URL is ${config.siteUrl} here, but the server of this DATA_DIR uses ${recorded.origin}; using that.`,
      )
    }
    return { ...config, siteUrl: recorded.origin }
  }
  if (config.siteUrlIsSet) return config
  return {
    ...config,
    get siteUrl(): string {
      throw new Error(
        `The site’s address is unknown: no server has run with ${config.dataDir} yet. Start it once, or set SITE_URL.`,
      )
    },
  }
}
