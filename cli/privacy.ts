import type { Command } from 'commander'
import * as options from './common/options.ts'
import { when, type Print } from './common/print.ts'
import { harmless } from './common/terminal.ts'
import type { PrivacyActs } from '#server/privacy/acts.ts'
import type { UseContext } from './common/command.ts'

/** `privacy`: exports, erasures and retention of personal data. */
export function addPrivacy(privacy: Command, useContext: UseContext, print: Print): void {
  privacy
    .command('export <email>')
    .description('export everything held on an email address (JSON)')
    .addOption(options.out())
    .addOption(options.by())
    .action(async (given: string, { by, out }: { by: string; out?: string }) => {
      const { features, clock } = await useContext()
      const places = await features.privacy.acts.exportOf(given, by)
      const all = { email: given.trim(), exportedAt: when(clock()), places }
      noteSpellings(given, features.privacy.acts, print)
      if (out === undefined) return print.json(all)
      const { writeWhole } = await import('./common/whole-file.ts')
      await writeWhole(out, `${JSON.stringify(all, null, 2)}\n`)
    })

  privacy
    .command('erase <email>')
    .description('preview the erasure of an email address; --yes erases')
    .option('--yes', 'erase permanently')
    .addOption(options.by())
    .addOption(options.json())
    .action(async (given: string, flags: { yes?: boolean; by: string; json?: boolean }) => {
      const { yes = false, by, json } = flags
      const { acts } = (await useContext()).features.privacy
      const { places, cleared } = await acts.erase(given, { rehearse: !yes, by })
      const email = given.trim()
      if (json) {
        const otherSpellings = acts.otherSpellings(given)
        print.json({ email, erased: yes, cleared, places, otherSpellings })
        return
      }
      noteSpellings(given, acts, print)
      const rows = places
        .filter(({ erased, kept }) => erased > 0 || kept)
        .map(({ place, erased, kept }) => ({
          place,
          [yes ? 'erased' : 'would be erased']: erased,
          kept: kept?.count ?? 0,
        }))
      print.listing(rows, { none: `Nothing held on ${harmless(email)}.` })
      // A column would cut the reason off, which is for the person who asked.
      for (const { place, kept } of places) {
        if (!kept) continue
        const until = kept.until ? ` until ${kept.until}` : ''
        print.line(`\n${place}, ${kept.count} kept${until}: ${kept.why}`)
      }
      for (const { named } of places) for (const line of named) print.line(`\n${harmless(line)}`)
      for (const { note } of places) if (note) print.line(`\n${note}`)
      if (!cleared) {
        print.line(
          '\nA backup or another command is reading the database, so its log still holds the erased data. The server clears it tonight; to clear it sooner, run this again later.',
        )
      }
      if (!yes) print.line(options.dryRun('erase'))
    })

  privacy
    .command('retention')
    .description('show retention periods and what enforces them')
    .addOption(options.json())
    .action(async ({ json }: { json?: boolean }) => {
      const { acts } = (await useContext()).features.privacy
      const rows = acts
        .retention()
        .map(({ place, what, kept, data, ground, forgottenBy, lastRun }) => ({
          place,
          what,
          kept,
          ...(json && { data, ground }),
          forgottenBy,
          lastRun: when(lastRun),
        }))
      print.listing(rows, { json, none: 'No personal data.' })
    })
}

/** Names other spellings that are on file: a person who asks means them all. */
function noteSpellings(given: string, { otherSpellings }: PrivacyActs, print: Print): void {
  const others = otherSpellings(given)
  if (others.length === 0) return
  const [are, each] = others.length === 1 ? ['It isn’t', 'it'] : ['They aren’t', 'each of them']
  print.note(
    `Also on file, probably the same mailbox: ${others.join(', ')}. ${are} included: once the person confirms, run this for ${each}, too.`,
  )
}
