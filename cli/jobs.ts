import { InvalidArgumentError, type Command } from 'commander'
import { counted } from '#shared/text/counted.ts'
import type { Context } from '#server/context.ts'
import { listOptions, searched, type SearchFlags } from './common/list.ts'
import { by } from './common/options.ts'
import { minute, when, type Print } from './common/print.ts'
import type { UseContext } from './common/command.ts'

type JobState = ReturnType<Context['jobs']['list']>[number]

/** `jobs`: scheduled jobs. */
export function addJobs(jobs: Command, useContext: UseContext, print: Print): void {
  listOptions(jobs.command('list'))
    .description('list jobs, failed first, then by next run')
    .option('--failed', 'only jobs whose last run failed')
    .option('--search <words>', 'only jobs with all these words in kind, key or error')
    .action(async ({ failed, json, limit, search }: SearchFlags & { failed?: boolean }) => {
      const { jobs: all } = await useContext()
      const found = all.list().filter(({ lastError }) => !failed || lastError !== null)
      print.list(
        searched(found, search, ({ kind, key, lastError }) => [kind, key, lastError]),
        { json, limit, what: 'jobs', none: 'No jobs found.', row: tableRow, full: fullRow },
      )
    })

  jobs
    .command('run <kind> [key]')
    .description('run a job now (on the running server)')
    .addOption(by())
    .action(async (kind: string, key: string | undefined, flags: { by: string }) => {
      const { jobs: all, siteClock } = await useContext()
      const count = await all.makeDue({ kind, key }, flags.by)
      print.line(`${counted(count, 'job')} queued for the running server.`)
      const doubt = siteClock.doubt()
      if (doubt) print.line(doubt.text)
    })

  jobs
    .command('retry [kind] [key]')
    .description('retry failed jobs of one kind, or "all"')
    .addOption(by())
    .action(async (kind: string | undefined, key: string | undefined, flags: { by: string }) => {
      if (kind === undefined) throw new InvalidArgumentError('Give a job kind or "all".')
      const { jobs: all, siteClock } = await useContext()
      const count = await all.retry({ kind, key }, flags.by)
      print.line(`${counted(count, 'job')} queued for the running server.`)
      const doubt = siteClock.doubt()
      if (doubt) print.line(doubt.text)
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
  const { id: _, revision: __, scheduledAt: ___, data, ...facts } = job
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
