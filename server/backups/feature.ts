import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { dayMs } from '#shared/durations.ts'
import type { Feature, Finding, Platform } from '../feature.ts'
import type { PersonalData } from '../personal-data.ts'
import { createBackup, type BackupOrder } from './create.ts'
import { backupsOf, listBackups, removeBackup, type Backup } from './store.ts'

/** Days for which a backup is kept; what was erased from the site is gone from all of them then. */
const keptDays = 90

/** How many of the nightly backups are kept. */
const keptDaily = 7

/** Days after which a night must have gone by without a backup. */
const oldDays = 2

/** Copies of the whole state under DATA_DIR/backups: their making, their end, and what is to be said about them. */
export type BackupFeature = Feature & {
  /** Makes a backup by hand. @throws when there is no room, or something cannot be copied */
  create(options: Pick<BackupOrder, 'out'>): ReturnType<typeof createBackup>
}

/** Makes the feature; see {@link BackupFeature}. */
export function backupFeature({ config, clock, log, db, jobs }: Platform): BackupFeature {
  const { dataDir } = config
  const directory = backupsOf(dataDir)
  const make = (order: Pick<BackupOrder, 'kind' | 'out' | 'signal'>) =>
    createBackup({ dataDir, db, now: clock(), ...order })
  const forget = async (name: string, removing: Promise<void>) => {
    await removing
    log.info({ backup: name }, 'old backup removed')
  }
  const failure = () => jobs.find('backups.make', '')?.lastError ?? null

  return {
    name: 'backups',
    create: ({ out }) => make({ kind: 'manual', out }),
    jobs: [
      {
        kind: 'backups.make',
        about: `makes a backup and keeps the last ${keptDaily} of them`,
        // Late in the day, since a missed run is made up for at the next start, and a server that
        // starts in the morning should first serve its visitors.
        recurs: { daily: '23:40' },
        minutesMost: 180,
        async run({ signal }) {
          const { name, bytes } = await make({ kind: 'daily', signal })
          log.info({ backup: name, bytes }, 'backup made')
          const daily = (await listBackups(directory)).filter(
            ({ manifest }) => manifest?.kind === 'daily',
          )
          for (const old of daily.slice(keptDaily)) {
            await forget(old.name, removeBackup(dataDir, old.name))
          }
        },
      },
      {
        kind: 'backups.forget',
        about: `removes backups that are older than ${keptDays} days`,
        recurs: { daily: '08:00' },
        async run() {
          const before = clock() - keptDays * dayMs
          for (const name of await oldCopies(directory, before)) {
            await forget(name, rm(join(directory, name), { force: true }))
          }
          for (const backup of await listBackups(directory)) {
            if (madeAtOf(backup) >= before) continue
            await forget(backup.name, removeBackup(dataDir, backup.name))
          }
        },
      },
    ],
    personalData,
    health: () => ({ backups: failure() === null ? 'ok' : 'failing' }),
    doctor: [
      {
        check: 'backups',
        look: async () => checkBackups(await listBackups(directory), failure(), clock()),
      },
    ],
  }
}

/** What the privacy policy and an erasure say of backups. */
const personalData: readonly PersonalData[] = [
  {
    name: 'backups',
    policy: [
      {
        what: 'Backups',
        data: 'Copies of all of the above as it was on the day of the backup',
        ground:
          'Our duty to protect the data against loss (Art. 32), and our legitimate interest in it',
        kept: `${keptDays} days; what we erase for you is gone from them after that time at the latest`,
      },
    ],
    forgottenBy: { job: 'backups.forget' },
    find: () => [],
    note: `Backups are whole copies of the database and are not searched. Nightly ones forget what is erased now after ${keptDaily} days, and it is gone from the last of them in ${keptDays} days; until then they are only used to restore the site, and the erasure must be repeated after a restore. Whoever made a backup with --out removes it in time.`,
  },
]

/** What the doctor says of the backups. */
function checkBackups(all: readonly Backup[], failure: string | null, now: number): Finding {
  // What a restore set aside is no care for the future.
  const whole = all.filter(({ manifest }) => manifest && manifest.kind !== 'before-restore')
  const newest = whole[0]
  const age = newest && Math.max(0, Math.floor((now - madeAtOf(newest)) / dayMs))
  const text = age === undefined ? 'none yet' : `the newest is ${age} day(s) old`
  if (failure !== null) return { state: 'warn', text: `${text}; the last try failed: ${failure}` }
  return { state: age === undefined || age >= oldDays ? 'warn' : 'ok', text }
}

/** By its name, which an unreadable manifest leaves. */
const madeAtOf = ({ name }: Backup): number =>
  Date.parse(
    name.replace('before-restore-', '').replace(/T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z$/, 'T$1:$2:$3.$4Z'),
  )

/** Copies that were made before a migration, from before an instant. */
async function oldCopies(directory: string, before: number): Promise<string[]> {
  const found: string[] = []
  for (const name of await readdir(directory).catch(() => [])) {
    if (!name.endsWith('.sqlite')) continue
    if ((await stat(join(directory, name))).mtimeMs < before) found.push(name)
  }
  return found
}
