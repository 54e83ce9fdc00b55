import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Feature, Platform } from '../feature.ts'

const day = 86_400_000

/** Days for which a backup is kept; what was erased from the site is gone from all of them then. */
const keptDays = 90

/** Copies of the database under DATA_DIR/backups: their end, and what is to be said about them. */
export function backupFeature({ config, clock, log }: Platform): Feature {
  const directory = join(config.dataDir, 'backups')

  const backups = async () => {
    const names = (await readdir(directory).catch(() => [])).filter((name) =>
      name.endsWith('.sqlite'),
    )
    return Promise.all(
      names.map(async (name) => {
        const path = join(directory, name)
        return { path, name, madeAt: (await stat(path)).mtimeMs }
      }),
    )
  }

  return {
    name: 'backups',
    jobs: [
      {
        kind: 'backups.forget',
        about: `removes backups that are older than ${keptDays} days`,
        recurs: { daily: '08:00' },
        async run() {
          for (const { path, name, madeAt } of await backups()) {
            if (madeAt >= clock() - keptDays * day) continue
            await rm(path, { force: true })
            log.info({ backup: name }, 'old backup removed')
          }
        },
      },
    ],
    personalData: [
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
        note: `Backups are whole copies of the database and are not searched. What is erased now is gone from the last of them in ${keptDays} days; until then they are only used to restore the site, and the erasure must be repeated after a restore.`,
      },
    ],
    doctor: [
      {
        check: 'backups',
        async look() {
          const found = await backups()
          if (found.length === 0) return { state: 'warn', text: 'none yet' }
          const newest = Math.max(...found.map(({ madeAt }) => madeAt))
          const days = Math.max(0, Math.floor((clock() - newest) / day))
          return {
            state: days > 7 ? 'warn' : 'ok',
            text: `the newest is ${days} day(s) old`,
          }
        },
      },
    ],
  }
}
