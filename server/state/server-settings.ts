import { createHmac, randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { dayMs } from '#shared/dates/durations.ts'
import type { Config } from '../config.ts'
import type { Transaction } from '../db/group-commit.ts'
import { databaseFile, openDatabase, type Database } from '../db/open.ts'
import { query, text } from '../db/table.ts'
import type { Keys } from '../secrets/secret-key.ts'

/** Settings that have to be the same wherever this data is worked on. */
export type SharedSetting = 'SECRET_KEY' | 'CONTENT_URL' | 'CONTENT_DIR' | 'SMTP_URL'

type Settings = Pick<Config, 'content' | 'contentDir' | 'mail'>

/** Where the server writes down what it is set up with, and the command line compares. */
export type ServerSettings = ReturnType<typeof createServerSettings>

const purpose = 'server-settings'
const firstHost = 'first-host'
const newSiteRow = 'new-site'

/** For how long staff are told that a new site began beside what was left of another. */
const newSiteMs = 7 * dayMs

/** What was noted of a new site: the sentence, and when it began. */
const newSiteNote = z.object({ text: z.string(), at: z.number() })

/** Prepares the statements of the recorded settings; the only place with their SQL. */
export function createServerSettings(db: Database) {
  const select = query(db, 'SELECT name, fingerprint FROM server_settings', {
    name: text(),
    fingerprint: text(),
  })
  const save = db.prepareWrite(`INSERT INTO server_settings VALUES (:name, :fingerprint)
    ON CONFLICT (name) DO UPDATE SET fingerprint = :fingerprint`)
  const hasRun = db.prepare('SELECT 1 FROM site_origin').pluck()
  const read = () => new Map(select.all().map((row) => [row.name, row.fingerprint]))

  return {
    /**
     * Writes down what a server that begins to serve is set up with, as fingerprints.
     * @param host the site's first host name, where it is known, in plain
     */
    async record(settings: Settings, keys: Keys, host: string | null = null): Promise<void> {
      const salt = read().get('salt') ?? randomBytes(32).toString('base64url')
      const rows = [
        ['salt', salt],
        ['SECRET_KEY', keys.hash(purpose, 'SECRET_KEY')],
        ...fingerprints(settings, salt),
        ...(host === null ? [] : [[firstHost, host]]),
      ]
      await db.commit((tx) => {
        for (const [name, fingerprint] of rows) save.run(tx, { name, fingerprint })
      })
    },

    /**
     * Writes down another newest key alone: one that was made beside a server, which signs with it
     * from now on, too. Call inside a transaction.
     */
    recordKey(tx: Transaction, keys: Keys): void {
      save.run(tx, { name: 'SECRET_KEY', fingerprint: keys.hash(purpose, 'SECRET_KEY') })
    },

    /** The host name that the site had first; null before there was a SITE_URL. */
    firstHost: (): string | null => read().get(firstHost) ?? null,

    /** Notes that a new site began beside what was left of another, whichever process has begun it. */
    async noteNewSite(said: string, at: number): Promise<void> {
      const fingerprint = JSON.stringify({ text: said, at } satisfies z.output<typeof newSiteNote>)
      await db.commit((tx) => void save.run(tx, { name: newSiteRow, fingerprint }))
    },

    /** What {@link noteNewSite} noted in the last seven days; null otherwise. A restore takes it away. */
    newSite(now: number): string | null {
      const noted = read().get(newSiteRow)
      if (noted === undefined) return null
      const { text: said, at } = newSiteNote.parse(JSON.parse(noted))
      return now < at + newSiteMs ? said : null
    },

    /** Which of the settings that need no key differ from those of the last server. */
    differences(settings: Settings): SharedSetting[] {
      const recorded = read()
      const salt = recorded.get('salt')
      if (salt === undefined) return []
      return fingerprints(settings, salt)
        .filter(([name, fingerprint]) => recorded.get(name) !== fingerprint)
        .map(([name]) => name)
    },

    /** Whether the newest key is the newest one of the last server; true before there was one. */
    isSameKey(keys: Keys): boolean {
      const recorded = read().get('SECRET_KEY')
      return recorded === undefined || recorded === keys.hash(purpose, 'SECRET_KEY')
    },

    /** Whether any of the keys is the newest one of the last server; true before there was one. */
    isKnownKey(keys: Keys): boolean {
      const recorded = read().get('SECRET_KEY')
      return recorded === undefined || keys.matches(purpose, 'SECRET_KEY', recorded)
    },

    /** Why the key that data was made with is missing; null when there is one, or no data. */
    lostKey({ secretKey, oldSecretKeys, dataDir }: Config): string | null {
      if (secretKey !== null || oldSecretKeys.length > 0) return null
      const kept = keptKey(join(dataDir, 'secret-key'))
      if (kept === 'there') return null
      if (kept === 'missing' && hasRun.get() === undefined) return null
      return `The secret key of this site is ${kept}. DATA_DIR/secret-key must be the key its codes, sessions and links were made with. Copy it back, or set SECRET_KEY if the site ran with one; a backup made with BACKUP_PASSPHRASE has it (backup restore --take-key). If it’s gone for good, run keys rotate --lost: the site starts again, and codes, sessions and links made so far stop working.`
    },
  }
}

/**
 * Which settings differ from those of the last server of this DATA_DIR; none before there was one.
 * Opens the database for as long as it looks.
 */
export async function differingSettings(
  config: Settings & Pick<Config, 'dataDir'>,
): Promise<SharedSetting[]> {
  if (!existsSync(databaseFile(config.dataDir))) return []
  const db = openDatabase(config.dataDir)
  try {
    return createServerSettings(db).differences(config)
  } finally {
    await db.close()
  }
}

function keptKey(file: string): 'there' | 'missing' | 'empty' {
  try {
    return readFileSync(file, 'utf8').trim() === '' ? 'empty' : 'there'
  } catch {
    return 'missing'
  }
}

/** Fingerprints of what is no secret; the password of the mail server is left out before. */
function fingerprints(
  { content, contentDir, mail }: Settings,
  salt: string,
): [SharedSetting, string][] {
  const smtp = mail.smtpUrl === null ? null : new URL(mail.smtpUrl)
  if (smtp) smtp.password = ''
  const values: [SharedSetting, string][] = [
    ['CONTENT_URL', content?.url ?? ''],
    ['CONTENT_DIR', contentDir],
    ['SMTP_URL', smtp?.href ?? ''],
  ]
  return values.map(([name, value]) => [
    name,
    createHmac('sha256', salt).update(`${name}\0${value}`).digest('base64url'),
  ])
}

/** Says which settings differ from the server's, and what to do. */
export const otherSettings = (names: readonly string[]): string =>
  `${new Intl.ListFormat('en-GB').format(names)} ${names.length === 1 ? 'differs' : 'differ'} here from the settings of the server of this DATA_DIR. Give both the same settings: in a .env beside package.json, or in the environment of this command.`

/** Keys that refuse to be used, where using them would make what no one can open. @param why the reason, for staff */
export function unusableKeys(why: string): Keys {
  const refuse = (): never => {
    throw new Error(why)
  }
  return { hash: refuse, hashes: refuse, matches: refuse, seal: refuse, unseal: refuse }
}
