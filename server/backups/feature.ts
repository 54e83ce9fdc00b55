import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { counted } from '#shared/text/counted.ts'
import { bytesText } from '#shared/text/bytes.ts'
import { dayMs, minuteMs } from '#shared/dates/durations.ts'
import type { Feature, Finding, Platform } from '../feature.ts'
import type { PersonalData } from '../contributions/personal-data.ts'
import { siteAct } from '../timeline/timeline.ts'
import { putContentBack } from './content-dir.ts'
import { keyIn } from './manifest.ts'
import { createBackup, type BackupOrder } from './create.ts'
import { isInBackup } from './search.ts'
import {
  besideState,
  directoriesOf,
  listBackups,
  backupTime,
  removeBackup,
  type Backup,
  whyUnwritable,
} from './store.ts'

/** Days for which a backup is kept; what was erased from the site is gone from all of them then. */
const keptDays = 90

/** How many of the nightly backups are kept. */
const keptDaily = 7

/** How many of the newest whole backups stay, however old they are: a wrong clock must not take the last. */
const keptAlways = 3

/** Days after which a night must have gone by without a backup. */
const oldDays = 2

/** Copies of the whole state under DATA_DIR/backups: their making, their end, and what is to be said about them. */
export type BackupFeature = Feature & {
  /**
   * Makes a backup by hand.
   * @param options `by` is who does it, for the timeline
   * @returns also its `size` for people
   * @throws when there is no room, or something cannot be copied
   */
  create(
    options: Pick<BackupOrder, 'out'> & { by: string },
  ): Promise<Awaited<ReturnType<typeof createBackup>> & { size: string }>
}

export function backupFeature({
  config,
  clock,
  siteClock,
  log,
  db,
  jobs,
  commit,
  timeline,
}: Platform): BackupFeature {
  const { dataDir, contentDir } = config
  const make = (order: Pick<BackupOrder, 'kind' | 'out' | 'signal'>) =>
    createBackup({ config, db, now: clock(), ...order })
  const forget = async (name: string, removing: Promise<void>) => {
    await removing
    log.info({ backup: name }, 'old backup removed')
  }
  const failure = () => jobs.find('backups.make', '')?.lastError ?? null
  // Looked for beside the replies of health, one look at a time: a disk in the network that hangs must hold
  // up neither them nor the site.
  let unwritable: string | null = null
  let look: Promise<void> | null = null
  const lookForDisk = () => {
    look ??= (async () => {
      unwritable = await whyUnwritable(config.backups.directory)
      look = null
    })()
  }

  return {
    name: 'backups',
    async prepare() {
      // Where a restore was cut off, this is the next one to open the state.
      if (await putContentBack(dataDir, contentDir)) return
      log.warn({ contentDir }, 'restored content left in DATA_DIR: CONTENT_DIR is read-only')
    },
    start: lookForDisk,
    async create({ out, by }) {
      const made = await make({ kind: 'manual', out })
      const act = { actor: by, act: 'created', note: made.name }
      await commit((tx) => timeline.record(tx, siteAct('backups', act)))
      return { ...made, size: bytesText(made.bytes) }
    },
    jobs: [
      {
        kind: 'backups.make',
        about: `makes a backup and keeps the last ${keptDaily} of them`,
        // Making one does no harm; what it removes asks for itself.
        waitsForTrustedClock: false,
        // Late in the day, since a missed run is made up for at the next start, and a server that
        // starts in the morning should first serve its visitors.
        recurs: { daily: '23:40' },
        maxMinutes: 180,
        async run({ signal }) {
          const { name, bytes } = await make({ kind: 'daily', signal })
          log.info({ backup: name, bytes }, 'backup made')
          unwritable = null
          // Which ones are the newest is a question of time, too.
          if (siteClock.doubt() !== null) return
          const daily = newestFirst(await listBackups(config), clock()).filter(
            ({ manifest }) => manifest?.kind === 'daily',
          )
          for (const old of daily.slice(keptDaily)) {
            await forget(old.name, removeBackup(config, old.name))
          }
        },
      },
      {
        kind: 'backups.forget',
        about: `removes backups older than ${keptDays} days, but never the newest ${keptAlways}`,
        recurs: { daily: '03:30' },
        async run() {
          const before = clock() - keptDays * dayMs
          const beside = besideState(config.dataDir)
          for (const name of await oldCopies(beside, before)) {
            await forget(name, rm(join(beside, name), { force: true }))
          }
          const all = newestFirst(await listBackups(config), clock())
          const newest = all.filter(isWhole).slice(0, keptAlways)
          for (const backup of all) {
            if (backupTime(backup.name) >= before || newest.includes(backup)) continue
            await forget(backup.name, removeBackup(config, backup.name))
          }
        },
      },
    ],
    personalData: [backupData(config, clock)],
    health() {
      lookForDisk()
      if (failure() !== null) return { backups: 'failing' }
      return { backups: unwritable === null ? 'ok' : 'unwritable' }
    },
    doctor: [
      {
        check: 'backups',
        async look() {
          const failed = failure()
          const trouble =
            failed === null
              ? // Named before the first night fails.
                await whyUnwritable(config.backups.directory)
              : `the last attempt failed: ${failed}`
          return checkBackups(await listBackups(config), trouble, clock())
        },
      },
    ],
  }
}

/** What the privacy policy and an erasure say of backups. */
const backupData = (config: Platform['config'], clock: () => number): PersonalData => ({
  name: 'backups',
  policy: [
    {
      what: 'Backups',
      data: 'Copies of all of the above as it was on the day of the backup',
      ground:
        'Our duty to protect the data against loss (Art. 32), and our legitimate interest in it',
      kept: `${keptDays} days; anything we erase for you is gone from them by then`,
    },
  ],
  forgottenBy: { job: 'backups.forget' },
  find: () => [],
  async note(emails) {
    const found = []
    for (const backup of await listBackups(config)) {
      for (const email of emails) {
        if (!(await isInBackup(backup, email))) continue
        found.push(backup.name)
        break
      }
    }
    const until = (name: string) => {
      const end = Math.max(backupTime(name) + keptDays * dayMs, clock())
      return `${name}, removed by ${new Date(end).toISOString().slice(0, 10)} at the latest`
    }
    const directories = directoriesOf(config).join(' and ')
    const rest = `Backups that were made elsewhere with --out aren’t searched: remove those by hand.`
    if (found.length === 0) return `No backup in ${directories} has this address. ${rest}`
    return [
      `The address is in ${counted(found.length, 'backup')}:`,
      ...found.map((name) => `- ${until(name)}`),
      `They’re only used to restore the site. To get rid of them sooner, make a new one with backup create once the address is erased, then run backup remove <name> for each. If one is restored, erase the address again. ${rest}`,
    ].join('\n')
  },
})

/** What the doctor says of the backups. */
function checkBackups(all: readonly Backup[], trouble: string | null, now: number): Finding {
  // What a restore set aside is no care for the future.
  const whole = newestFirst(all, now).filter((each) => isWhole(each) && !isAhead(each, now))
  const newest = whole[0]
  const age = newest && Math.max(0, Math.floor((now - backupTime(newest.name)) / dayMs))
  const text = age === undefined ? 'none yet' : `the newest is ${counted(age, 'day')} old`
  if (trouble !== null) return { state: 'warn', text: `${text}; ${trouble}` }
  const plain = all.filter(({ manifest }) => manifest && keyIn(manifest) === 'plain').length
  if (plain > 0) {
    return {
      state: 'warn',
      text: `${text}; ${plain} from an earlier version contain the secret key unencrypted: remove them (pitlane backup remove), or replace that key (pitlane keys rotate, pitlane keys revoke)`,
    }
  }
  return { state: age === undefined || age >= oldDays ? 'warn' : 'ok', text }
}

/** Whether it is a copy of the whole state that someone or a night made. */
const isWhole = ({ manifest }: Backup): boolean =>
  manifest?.kind === 'daily' || manifest?.kind === 'manual'

/** The newest first; those a wrong clock has dated in the future last, whenever they were made. */
const newestFirst = (all: readonly Backup[], now: number): Backup[] => [
  ...all.filter((each) => !isAhead(each, now)),
  ...all.filter((each) => isAhead(each, now)),
]
const isAhead = ({ name }: Backup, now: number): boolean => backupTime(name) > now + minuteMs

/** Copies that were made before a migration, from before an instant. */
async function oldCopies(directory: string, before: number): Promise<string[]> {
  const found: string[] = []
  for (const name of await readdir(directory).catch(() => [])) {
    if (!name.endsWith('.sqlite')) continue
    if ((await stat(join(directory, name))).mtimeMs < before) found.push(name)
  }
  return found
}
