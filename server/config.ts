import { readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import * as z from 'zod/mini'
import { counted } from '#shared/text/counted.ts'
import { StartError } from './start-error.ts'
import { isSamePlace, isWithin } from './state/real-place.ts'
import { unknownVariables } from './unknown-variables.ts'

/** Relative paths begin beside package.json, wherever a command was started. */
const root = join(import.meta.dirname, '..')

/** The whole configuration, read once at start; a part that is not set up is null as a whole. */
export type Config = ReturnType<typeof settle> & {
  /** What is allowed and hardly meant, in sentences. */
  readonly warnings: readonly string[]
}

/** Thrown by {@link readConfig}; carries every problem at once. */
export class ConfigError extends StartError {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(
      `The configuration has ${counted(problems.length, 'problem')}:\n- ${problems.join('\n- ')}`,
    )
    this.problems = problems
  }
}

const webAddress = (hint: string) =>
  z
    .string()
    .check(
      z.refine((value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol), hint),
    )

/** An address of nothing but scheme, host and port; a slash at its end does no harm. */
const origin = z.string().check(
  z.refine((value) => {
    const url = URL.parse(value)
    return url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
  }, 'must be an http(s) origin without a path, such as https://www.example.com'),
)

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** A port in decimal digits, with no other notation. */
const isPort = (port: string) => /^\d{1,5}$/.test(port) && Number(port) <= 65535
const portHint = 'must be a port number, 0 to 65535'
/** Docker's --env-file and systemd's Environment= have other quoting than a shell, and keep some. */
const bare = z
  .string()
  .check(
    z.regex(
      /^(?![\s"'])[^\0]*(?<![\s"'])$/s,
      'must not begin or end with a space or a quotation mark: where quotes aren’t read, they become a part of the value',
    ),
  )
/** A credential that is plainly not another one of those that stand beside it. */
const notA = (other: RegExp, hint: string) =>
  bare.check(z.refine((value) => !other.test(value), hint))
const text = z.optional(z.string())
/** One address, with or without a name; mail servers refuse several in one. */
const mailbox = z
  .string()
  .check(
    z.regex(
      /^(?:[^\r\n<>]*<[^\s@<>,;]+@[^\s@<>,;]+>|[^\s@<>,;]+@[^\s@<>,;]+)$/,
      'must be one email address, such as hello@example.com or Name <hello@example.com>',
    ),
  )

/** An address of a mailbox whose user and password can be read. */
function isInbox(value: string): boolean {
  const url = URL.parse(value)
  if (!url || !/^imaps?:$/.test(url.protocol) || !url.hostname || !url.password) return false
  try {
    return decodeURIComponent(url.username) !== '' && decodeURIComponent(url.password) !== ''
  } catch {
    return false
  }
}

const onOrOff = z._default(z.enum(['on', 'off'], 'must be on or off'), 'on')

/** Directives after max-age, as browsers spell them; preloading covers subdomains, too. */
const hsts = z.string().check(
  z.refine((value) => {
    const directives = listed(value).map((each) => each.toLowerCase())
    const known = directives.every((each) => ['includesubdomains', 'preload'].includes(each))
    return known && (!directives.includes('preload') || directives.includes('includesubdomains'))
  }, 'must be includeSubDomains, or "includeSubDomains; preload"'),
)
const listed = (value: string) => value.split(/[\s;,]+/).filter(Boolean)

const origins = z
  .string()
  .check(
    z.refine(
      (value) => listed(value).every((each) => origin.safeParse(each).success),
      'must be origins without a path, such as https://www.example.com https://example.org',
    ),
  )

/** Addresses of this machine, which no email can be answered to. */
const defaultMail = { MAIL_FROM: 'website@localhost', STAFF_EMAIL: 'staff@localhost' }

const environment = z.object({
  /** TCP port; 0 takes a free one. */
  PORT: z._default(
    z.pipe(
      z.string().check(z.refine(isPort, portHint)),
      z.transform((port: string) => Number(port)),
    ),
    3000,
  ),
  /** Address to listen on. */
  HOST: z._default(z.string(), '0.0.0.0'),
  /** Public origin, for canonical addresses, feeds and email. */
  SITE_URL: z.optional(origin),
  /** All state: database, outbox, caches, folders, logs, backups. */
  DATA_DIR: z._default(bare, 'data/var'),
  /** Files of the embedded content service. */
  CONTENT_DIR: z._default(bare, 'data/content'),
  /** A Directus to read from instead of the embedded content service. */
  CONTENT_URL: z.optional(webAddress('must be an http(s) address of a Directus')),
  CONTENT_TOKEN: z.optional(bare),
  /** Where editors reach that Directus, if it is another address; their texts name it. */
  CONTENT_PUBLIC_URL: z.optional(webAddress('must be an http(s) address of a Directus')),
  /** smtp:// or smtps:// address; unset, emails become .eml files under DATA_DIR/mail. */
  SMTP_URL: z.optional(
    z
      .string()
      .check(
        z.refine(
          (value) => /^smtps?:/.test(value) && URL.canParse(value) && new URL(value).host !== '',
          'must be an smtp:// or smtps:// address with a host, such as smtps://user:password@mail.example.com',
        ),
      ),
  ),
  /** imap:// or imaps:// address of the mailbox of STAFF_EMAIL; unset, answers stay there. */
  IMAP_URL: z.optional(
    z
      .string()
      .check(
        z.refine(
          isInbox,
          'must be an imap:// or imaps:// address with a user, a password and a host, such as imaps://user:password@mail.example.com (special characters as %40)',
        ),
      ),
  ),
  MAIL_FROM: z._default(mailbox, defaultMail.MAIL_FROM),
  STAFF_EMAIL: z._default(mailbox, defaultMail.STAFF_EMAIL),
  /** Days on which staff get their digest and alerts about limits; a request still comes at once. */
  DIGEST_DAYS: z._default(z.enum(['workdays', 'all'], 'must be workdays or all'), 'workdays'),
  /** Where the newsletter form posts to; unset, our own /subscription/form. */
  NEWSLETTER_URL: z.optional(webAddress('must be an http(s) address')),
  NEWSLETTER_LIST: text,
  ANALYTICS_ID: z.optional(
    z.string().check(z.regex(/^[\w-]{1,40}$/, 'must be a measurement id, such as G-ABC123')),
  ),
  STATS_SCRIPT_URL: z.optional(webAddress('must be an http(s) address of a script')),
  STATS_WEBSITE_ID: z.optional(z.string().check(z.regex(/^[\w-]{1,64}$/, 'must be an identifier'))),
  STRIPE_SECRET_KEY: z.optional(
    notA(
      /^(?:pk|whsec)_/,
      'must be a secret or restricted key of Stripe, which begins with sk_ or rk_',
    ),
  ),
  STRIPE_WEBHOOK_SECRET: z.optional(
    notA(
      /^(?:pk|sk|rk)_/,
      'must be the signing secret of a webhook at Stripe, which begins with whsec_',
    ),
  ),
  STRIPE_API_BASE: z.optional(webAddress('must be an http(s) address')),
  /** The REST interface of VIES; unset, VAT ids are checked by their check digits alone. */
  VIES_URL: z.optional(webAddress('must be an http(s) address')),
  /** Proxies in front: a hop count (0 is none) or addresses/CIDRs, comma separated. */
  TRUST_PROXY: z.optional(
    z
      .string()
      .check(
        z.refine(
          trustable,
          'must be a hop count (0 for none, 1) or addresses (10.0.0.0/8); "true" would trust anyone',
        ),
      ),
  ),
  /** `off` lifts the limits on what strangers may hold or cause, for load tests on a closed network. */
  SHARES: z._default(z.enum(['on', 'off'], 'must be on or off'), 'on'),
  LOG_LEVEL: z._default(
    z.enum(logLevels, 'must be trace, debug, info, warn, error, fatal or silent'),
    'info',
  ),
  /** Signs tokens and hashes codes; unset, one is made and kept in DATA_DIR. */
  SECRET_KEY: text,
  /** Earlier keys, separated by commas: what they signed and hashed still counts. */
  SECRET_KEY_OLD: text,
  /** Off keeps search engines out, as for staging. */
  INDEXING: onOrOff,
  /** Off makes /test a 404. */
  TEST_PAGE: onOrOff,
  /** Other sites that may show /contactwindow in a frame. */
  FRAME_ANCESTORS: z.optional(origins),
  /** What Strict-Transport-Security says beside max-age. */
  HSTS: z.optional(hsts),
  /** Where backups are made; unset, DATA_DIR/backups. */
  BACKUP_DIR: z.optional(bare),
  /** Encrypts the secret key inside of backups; unset, they have none. */
  BACKUP_PASSPHRASE: z.optional(
    z.string().check(z.minLength(12, 'must have at least 12 characters')),
  ),
  /** Who uses the command line, for the history of what they do; the server has no use for it. */
  PITLANE_BY: text,
  NODE_ENV: text,
})

/**
 * Reads the configuration (docs/contract.md, Environment). Each name may come as `NAME_FILE`
 * instead, a path whose trimmed content is the value; an empty value counts as unset, not an empty file.
 * @param env the environment, usually `process.env`
 * @param options `fillsContent` for a command that makes CONTENT_DIR, where it need not be yet
 * @throws ConfigError with every problem found
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  { fillsContent = false }: { fillsContent?: boolean } = {},
): Config {
  const problems: string[] = []
  const values: Record<string, string> = {}
  for (const name of Object.keys(environment.shape)) {
    const value = env[name] || undefined
    const file = env[`${name}_FILE`] || undefined
    if (value !== undefined && file !== undefined) {
      problems.push(`${name} and ${name}_FILE are both set; keep one.`)
    } else if (file !== undefined) {
      try {
        const content = readFileSync(resolve(root, file), 'utf8').trim()
        // Counted as unset, a secret that was never written would go unnoticed.
        if (content === '') problems.push(`${name}_FILE: the file ${file} is empty.`)
        else values[name] = content
      } catch {
        problems.push(`${name}_FILE: the file ${file} can’t be read.`)
      }
    } else if (value !== undefined) {
      values[name] = value
    }
  }
  const parsed = environment.safeParse(values)
  if (!parsed.success) {
    for (const issue of parsed.error.issues)
      problems.push(`${issue.path.join('.')} ${issue.message}.`)
  }
  if (values.CONTENT_TOKEN && !values.CONTENT_URL) problems.push('CONTENT_TOKEN needs CONTENT_URL.')
  const embedded = values.CONTENT_DIR && !values.CONTENT_URL && !fillsContent
  // A mistyped name would be a site whose every list is empty; one in DATA_DIR is filled at the start.
  const isOurs = parsed.success && isInside(parsed.data.CONTENT_DIR, parsed.data.DATA_DIR)
  if (embedded && !isOurs && !isDirectory(resolve(root, values.CONTENT_DIR!))) {
    problems.push(`CONTENT_DIR: directory not found: ${resolve(root, values.CONTENT_DIR!)}.`)
  }
  if (values.STATS_WEBSITE_ID && !values.STATS_SCRIPT_URL) {
    problems.push('STATS_WEBSITE_ID needs STATS_SCRIPT_URL.')
  }
  if (values.STRIPE_SECRET_KEY && !values.STRIPE_WEBHOOK_SECRET) {
    problems.push('STRIPE_SECRET_KEY needs STRIPE_WEBHOOK_SECRET.')
  }
  const unaddressed = Object.entries(defaultMail)
    .filter(([name, usual]) => (values[name] ?? usual) === usual)
    .map(([name]) => name)
  const https = isHttps(values.SITE_URL)
  if (https && values.SMTP_URL) {
    for (const name of unaddressed) {
      problems.push(
        `${name} must be set where SMTP_URL is: email would go to an address at localhost.`,
      )
    }
  }
  if (parsed.success) problems.push(...misplaced(parsed.data))
  if (problems.length > 0 || !parsed.success) throw new ConfigError(problems)
  const warnings = [
    ...unknownVariables(env, Object.keys(environment.shape)),
    ...(https && !values.SMTP_URL
      ? ['SMTP_URL isn’t set: emails are written to files, not sent.']
      : []),
    ...(values.SMTP_URL && unaddressed.length > 0
      ? [`${unaddressed.join(' and ')} at localhost: set both to addresses that exist.`]
      : []),
  ]
  return { ...settle(parsed.data), warnings }
}

function settle(env: z.output<typeof environment>) {
  return {
    port: env.PORT,
    host: env.HOST,
    /** Origin without a trailing slash. */
    siteUrl: new URL(env.SITE_URL ?? `http://localhost:${env.PORT}`).origin,
    /** Whether it was configured rather than made from the port. */
    siteUrlIsSet: env.SITE_URL !== undefined,
    dataDir: resolve(root, env.DATA_DIR),
    contentDir: resolve(root, env.CONTENT_DIR),
    /** Whether that is a part of DATA_DIR, which the site fills itself. */
    contentIsOurs: isInside(env.CONTENT_DIR, env.DATA_DIR),
    content: env.CONTENT_URL
      ? {
          url: env.CONTENT_URL.replace(/\/+$/, ''),
          token: env.CONTENT_TOKEN ?? null,
          /** All addresses by which content may name its files. */
          addresses: [env.CONTENT_URL, env.CONTENT_PUBLIC_URL].filter((url) => url !== undefined),
        }
      : null,
    mail: {
      smtpUrl: env.SMTP_URL ?? null,
      from: env.MAIL_FROM,
      staff: env.STAFF_EMAIL,
      /** Whether the digest and alerts about limits come on weekends and public holidays, too. */
      everyDay: env.DIGEST_DAYS === 'all',
    },
    /** The mailbox that answers to tickets are read from; null where there is none. */
    inbox: env.IMAP_URL ? inboxOf(new URL(env.IMAP_URL)) : null,
    newsletter: { url: env.NEWSLETTER_URL ?? null, list: env.NEWSLETTER_LIST ?? null },
    analyticsId: env.ANALYTICS_ID ?? null,
    stats: env.STATS_SCRIPT_URL
      ? { script: env.STATS_SCRIPT_URL, website: env.STATS_WEBSITE_ID ?? null }
      : null,
    stripe: env.STRIPE_SECRET_KEY
      ? {
          secretKey: env.STRIPE_SECRET_KEY,
          webhookSecret: env.STRIPE_WEBHOOK_SECRET!,
          apiBase: env.STRIPE_API_BASE ?? null,
        }
      : null,
    viesUrl: env.VIES_URL ?? null,
    /** As Express' `trust proxy` takes it. */
    trustProxy:
      env.TRUST_PROXY === undefined || env.TRUST_PROXY === '0'
        ? false
        : /^\d+$/.test(env.TRUST_PROXY)
          ? Number(env.TRUST_PROXY)
          : env.TRUST_PROXY.split(',').map((part) => part.trim()),
    /** Whether what strangers may hold, number or cause is limited. */
    shares: env.SHARES === 'on',
    logLevel: env.LOG_LEVEL,
    secretKey: env.SECRET_KEY ?? null,
    oldSecretKeys: (env.SECRET_KEY_OLD ?? '')
      .split(',')
      .map((key) => key.trim())
      .filter(Boolean),
    indexing: env.INDEXING === 'on',
    testPage: env.TEST_PAGE === 'on',
    /** Origins that may show /contactwindow in a frame, beside our own. */
    frameAncestors: listed(env.FRAME_ANCESTORS ?? '').map((each) => new URL(each).origin),
    /** Directives of Strict-Transport-Security; null where the site isn't on https. */
    hsts: isHttps(env.SITE_URL) ? ['max-age=63072000', ...listed(env.HSTS ?? '')].join('; ') : null,
    backups: {
      directory: backupDirectory(
        resolve(root, env.DATA_DIR, 'backups'),
        resolve(root, env.BACKUP_DIR ?? join(env.DATA_DIR, 'backups')),
      ),
      passphrase: env.BACKUP_PASSPHRASE ?? null,
    },
  }
}

/** Host, port and login in an address that was checked. */
function inboxOf({ protocol, hostname, port, username, password }: URL) {
  const isTls = protocol === 'imaps:'
  return {
    host: hostname.replaceAll(/^\[|\]$/g, ''),
    port: port === '' ? (isTls ? 993 : 143) : Number(port),
    /** Whether TLS begins with the connection; otherwise it has to follow by STARTTLS. */
    isTls,
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
  }
}

/** Whether a setting names a place below that of another one. */
const isInside = (dir: string, outer: string): boolean => {
  const [inner, around] = [resolve(root, dir), resolve(root, outer)]
  return isWithin(inner, around) && !isSamePlace(inner, around)
}

const isHttps = (address: string | undefined): boolean =>
  address !== undefined && URL.parse(address)?.protocol === 'https:'

/**
 * What is wrong with where the directories lie to each other: a backup must not copy the ones before it,
 * nor the state and its key as content.
 */
function misplaced(env: Pick<z.output<typeof environment>, DirectoryName>): string[] {
  const [data, content] = [resolve(root, env.DATA_DIR), resolve(root, env.CONTENT_DIR)]
  const backups = env.BACKUP_DIR === undefined ? null : resolve(root, env.BACKUP_DIR)
  const problems: string[] = []
  if (isInside(data, content)) {
    problems.push('DATA_DIR must be outside of CONTENT_DIR.')
  }
  if (backups === null || isSamePlace(backups, join(data, 'backups'))) return problems
  if (isWithin(backups, data)) {
    problems.push('BACKUP_DIR must be outside of DATA_DIR, or DATA_DIR/backups itself.')
  } else if (isWithin(backups, content)) {
    problems.push('BACKUP_DIR must be outside of CONTENT_DIR.')
  }
  return problems
}

type DirectoryName = 'DATA_DIR' | 'CONTENT_DIR' | 'BACKUP_DIR'

/** One spelling of DATA_DIR/backups, so that its backups aren't found and counted twice. */
function backupDirectory(own: string, given: string): string {
  return isSamePlace(own, given) ? own : given
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

/** True for what `TRUST_PROXY` may be: 0 to 9 hops, or addresses and CIDRs, or Express' names for ranges. */
function trustable(value: string): boolean {
  if (/^\d$/.test(value)) return true
  return value.split(',').every((part) => {
    const [base, bits, ...rest] = part.trim().split('/')
    if (rest.length > 0 || base === undefined) return false
    if (['loopback', 'linklocal', 'uniquelocal'].includes(base)) return bits === undefined
    const version = isIP(base)
    if (version === 0) return false
    return (
      bits === undefined ||
      (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128))
    )
  })
}
