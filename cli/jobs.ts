import type { Command } from 'commander'
import type { JobState } from '#server/jobs/jobs.ts'
import * as options from './options.ts'
import { minute, when, type Print } from './print.ts'
import { harmless } from './terminal.ts'
import type { UseContext } from './command.ts'

/** `jobs`: what the server does by the clock. */
export function addJobs(program: Command, useContext: UseContext, print: Print): void {
  const jobs = program.command('jobs').description('what the server does by the clock')

  jobs
    .command('list')
    .description('every job, those that were given up first, then by when they run')
    .option('--failed', 'only those whose last run failed')
    .addOption(options.json())
    .action(async ({ failed, json }: { failed?: boolean; json?: boolean }) => {
      const { jobs: all } = await useContext()
      const found = all.list().filter(({ lastError }) => !failed || lastError !== null)
      const rows = json ? found.map(fullRow) : found.map(tableRow)
      print.listing(rows, { json, none: 'No jobs.' })
    })

  jobs
    .command('run <kind> [key]')
    .description('make a job due at once; the running server runs it')
    .action(async (kind: string, key: string | undefined) => {
      const { jobs: all, commit } = await useContext()
      const count = await commit((tx) =>
        all.makeDue(tx, { kind, ...(key !== undefined && { key }) }),
      )
      if (count === 0) throw new Error(`There is no job ${harmless([kind, key].join(' ').trim())}.`)
      print.line(`${count} job(s) will be run by the running server.`)
    })

  jobs
    .command('retry [kind] [key]')
    .description('run again at once what failed: of one kind, or "all"')
    .action(async (kind: string | undefined, key: string | undefined) => {
      if (kind === undefined) program.error('error: name a kind of jobs, or say "all"')
      const { jobs: all, commit } = await useContext()
      const kinds = kind === 'all' ? [...new Set(all.list().map((job) => job.kind))] : [kind]
      const count = await commit((tx) =>
        kinds.reduce(
          (sum, each) =>
            sum +
            all.makeDue(tx, { kind: each, ...(key !== undefined && { key }), onlyFailed: true }),
          0,
        ),
      )
      if (count === 0 && kind !== 'all') throw new Error(`No job ${harmless(kind)} has failed.`)
      print.line(`${count} job(s) will be run by the running server.`)
    })
}

const tableRow = ({ kind, key, state, nextAt, attempts, lastSuccessAt, lastError }: JobState) => ({
  kind,
  key,
  state,
  next: nextAt === null ? 'never' : minute(nextAt),
  attempts,
  succeeded: lastSuccessAt === null ? null : minute(lastSuccessAt),
  error: lastError,
})

const fullRow = ({ dueAt, nextAt, leasedUntil, lastErrorAt, lastSuccessAt, ...job }: JobState) => {
  const { id: _, revision: __, data, ...facts } = job
  return {
    ...facts,
    data,
    dueAt: when(dueAt),
    nextAt: when(nextAt),
    leasedUntil: when(leasedUntil),
    lastErrorAt: when(lastErrorAt),
    lastSuccessAt: when(lastSuccessAt),
  }
}
