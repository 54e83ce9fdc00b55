import type { Command } from 'commander'
import { readConfig } from '#server/config.ts'
import {
  differingSettings,
  otherSettings,
  type SharedSetting,
} from '#server/state/server-settings.ts'

const content: readonly SharedSetting[] = ['CONTENT_URL', 'CONTENT_DIR']

/**
 * Which of the server's settings a command depends on, by its noun, or by noun and verb. What needs the
 * secret key isn't listed: the keys of a context refuse to be used when they are others.
 */
const dependencies: Readonly<Record<string, readonly SharedSetting[]>> = {
  content,
  // The Directus is named as an argument.
  'content pull': ['CONTENT_DIR'],
  events: content,
  sitemap: content,
  'newsletter send': [...content, 'SMTP_URL'],
  'mail retry': ['SMTP_URL'],
}

/**
 * Refuses a command that would work on another site than the one that the server serves.
 * @throws with the names of the settings that differ
 */
export async function refuseOtherSettings(command: Command, env: NodeJS.ProcessEnv): Promise<void> {
  const noun = command.parent?.name() ?? ''
  const needed = dependencies[`${noun} ${command.name()}`] ?? dependencies[noun] ?? []
  // A directory that is named isn't part of the site.
  if (needed.length === 0 || (command.name() === 'check' && command.args.length > 0)) return
  const config = readConfig(
    // The token is that of the argument, too, and would be one too many here.
    command.name() === 'pull' ? { ...env, CONTENT_TOKEN: '', CONTENT_TOKEN_FILE: '' } : env,
    { fillsContent: true },
  )
  const differing = await differingSettings(config)
  const wrong = differing.filter((name) => needed.includes(name))
  if (wrong.length > 0) throw new Error(otherSettings(wrong))
}
