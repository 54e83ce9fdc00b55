import type { Command } from 'commander'
import type { PersonalData } from '#server/personal-data.ts'
import { erase, exportOf } from '#server/privacy/requests.ts'
import * as options from './options.ts'
import { when, type Print } from './print.ts'
import { harmless } from './terminal.ts'
import type { UseContext } from './command.ts'

/** `privacy`: what is known of a person, and for how long. */
export function addPrivacy(program: Command, useContext: UseContext, print: Print): void {
  const privacy = program.command('privacy').description('what is kept of people')

  privacy
    .command('export <email>')
    .description('everything that is known of an address, as JSON for the person who asks')
    .action(async (given: string) => {
      const email = addressOf(given)
      const { contributions, clock } = await useContext()
      const places = await exportOf(email, contributions().personalData)
      print.json({ email, exportedAt: when(clock()), places })
    })

  privacy
    .command('erase <email>')
    .description('say what of an address would be erased; with --yes, erase it')
    .option('--yes', 'erase it for good')
    .addOption(options.json())
    .action(async (given: string, { yes = false, json }: { yes?: boolean; json?: boolean }) => {
      const email = addressOf(given)
      const { contributions, commit } = await useContext()
      const places = contributions().personalData
      const told = await erase(email, { places, commit, rehearse: !yes })
      if (json) {
        print.json({ email, erased: yes, places: told })
        return
      }
      const rows = told
        .filter(({ erased, kept }) => erased > 0 || kept)
        .map(({ place, erased, kept }) => ({
          place,
          [yes ? 'erased' : 'would be erased']: erased,
          kept: kept?.count ?? 0,
          why: kept ? `${kept.why}${kept.until ? `, until ${kept.until}` : ''}` : null,
        }))
      print.listing(rows, { none: `Nothing is known of ${harmless(email)}.` })
      for (const { note } of told) if (note) print.line(`\n${note}`)
      if (!yes) print.line('\nNothing has been erased. To do it, say --yes.')
    })

  privacy
    .command('retention')
    .description('what is kept of people, for how long, and what forgets it')
    .addOption(options.json())
    .action(async ({ json }: { json?: boolean }) => {
      const { contributions, jobs } = await useContext()
      const rows = contributions().personalData.flatMap((place) => {
        const forgotten = forgottenBy(place)
        const job = 'job' in place.forgottenBy ? jobs.find(place.forgottenBy.job, '') : null
        return place.policy.map(({ what, data, ground, kept }) => ({
          place: place.name,
          what,
          kept,
          ...(json && { data, ground }),
          forgottenBy: forgotten,
          lastRun: when(job?.lastSuccessAt ?? null),
        }))
      })
      print.listing(rows, { json, none: 'Nothing is kept.' })
    })
}

const forgottenBy = ({ forgottenBy: by }: PersonalData) => ('job' in by ? `job ${by.job}` : by.by)

/** @throws for what is no address at all, since every text would be searched for */
function addressOf(text: string): string {
  const email = text.trim()
  if (!/^[^\s@]{1,64}@[^\s@]{3,255}$/.test(email)) {
    throw new Error(`${harmless(text)} is not an e-mail address.`)
  }
  return email
}
