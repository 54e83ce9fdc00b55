import type { Command } from 'commander'
import { counted } from '#shared/text/counted.ts'
import { officeTime } from '#shared/dates/helsinki-time.ts'
import type { Context } from '#server/context.ts'
import type { Finding } from '#server/feature.ts'
import * as options from './common/options.ts'
import type { Print } from './common/print.ts'
import type { UseConfig, UseContext } from './common/command.ts'

type DoctorFlags = { json?: boolean; acceptClock?: boolean; by: string }

/**
 * `doctor`: checks what the site needs, one line each.
 * @throws when something fails, after all lines
 */
export function addDoctor(
  doctor: Command,
  { useConfig, useContext }: { useConfig: UseConfig; useContext: UseContext },
  print: Print,
): void {
  doctor
    .option('--accept-clock', 'confirm that this machine’s clock is right; runs no checks')
    .addOption(options.by())
    .addOption(options.json())
    .action(async ({ json, acceptClock, by }: DoctorFlags) => {
      if (acceptClock) return acceptTheClock(await useContext(), by, print)
      const findings: ({ check: string } & Finding)[] = []
      const note = async (check: string, look: () => Finding | Promise<Finding>) => {
        const finding = await Promise.resolve()
          .then(look)
          .catch((error: unknown): Finding => ({ state: 'fail', text: (error as Error).message }))
        findings.push({ check, ...finding })
        if (!json) print.line(`${finding.state.padEnd(5)}${check}: ${finding.text}`)
        return finding.state !== 'fail'
      }

      if (await note('configuration', () => (useConfig(), { state: 'ok', text: 'readable' }))) {
        const { databaseCheck, diskCheck, platformChecks } = await import('#server/checks.ts')
        const disk = diskCheck(useConfig())
        await note(disk.check, disk.look)
        if (await note('database', async () => databaseCheck(await useContext()).look())) {
          const context = await useContext()
          for (const { check, look } of platformChecks(context)) await note(check, look)
          for (const { check, look } of context.contributions().doctor) await note(check, look)
        }
      }
      if (json) print.json(findings)
      const failed = findings.filter(({ state }) => state === 'fail').length
      if (failed > 0) throw new Error(`${counted(failed, 'check')} failed.`)
    })
}

async function acceptTheClock(
  { siteClock, features }: Context,
  by: string,
  print: Print,
): Promise<void> {
  const doubted = siteClock.doubt() !== null
  await features.health.acceptClock(by)
  const time = officeTime(siteClock.now())
  print.line(
    doubted
      ? `Clock accepted: ${time}. Paused jobs resume within a minute.`
      : `The clock was already trusted: ${time}.`,
  )
}
