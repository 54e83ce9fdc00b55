import { InvalidArgumentError, Option, type Command } from 'commander'
import * as options from './common/options.ts'
import { when, type Print } from './common/print.ts'
import type { UseContext } from './common/command.ts'

type Shown = ReturnType<Awaited<ReturnType<UseContext>>['features']['keys']['show']>

/** `keys`: what signs links, sessions and codes. */
export function addKeys(keys: Command, useContext: UseContext, print: Print): void {
  addShow(keys, useContext, print)
  addRotate(keys, useContext, print)
  addRevoke(keys, useContext, print)
}

function addShow(keys: Command, useContext: UseContext, print: Print): void {
  keys
    .command('show')
    .description('show key fingerprints and what each signs, never the keys themselves')
    .option('--secret-to <file>', 'write the keys to a new file only you can read')
    .addOption(options.by())
    .addOption(options.json())
    .action(async ({ secretTo, by, json }: { secretTo?: string; by: string; json?: boolean }) => {
      const { keys: feature } = (await useContext()).features
      const shown = feature.show()
      if (secretTo !== undefined) await feature.writeTo(secretTo, by)
      if (json) {
        print.json({ keys: keyRows(shown), kinds: kindRows(shown) })
        return
      }
      print.listing(keyRows(shown), { none: 'No keys.' })
      print.line('\nValid keys sign:')
      print.listing(kindRows(shown), { none: 'Nothing is signed.' })
      if (secretTo !== undefined) {
        print.line(`\nThe keys are in ${secretTo}. Anyone who can read it can forge links.`)
      }
    })
}

function addRotate(keys: Command, useContext: UseContext, print: Print): void {
  keys
    .command('rotate')
    .description('create a new key; the previous one stays valid until revoked')
    .option('--lost', 'the previous key is gone for good, and with it everything it signed')
    .addOption(options.by())
    .action(async ({ lost, by }: { lost?: boolean; by: string }) => {
      const { keys: feature } = (await useContext()).features
      const { key, wasLost } = await feature.rotate(by, lost)
      print.line(`New key: ${key.fingerprint}. A running server picks it up within a second.`)
      print.line(
        wasLost
          ? 'The earlier key is lost: access codes, sessions and links made with it no longer work. Replace codes with codes rotate.'
          : 'Everything already signed still works. To invalidate it, run keys revoke.',
      )
    })
}

function addRevoke(keys: Command, useContext: UseContext, print: Print): void {
  keys
    .command('revoke')
    .description('revoke all previous keys, or everything of a kind issued so far')
    .addOption(
      new Option(
        '--kind <kind...>',
        'revoke these kinds instead of keys, such as sessions or links',
      ),
    )
    .option('--all', 'revoke all previous keys and every kind')
    .option('--yes', 'revoke permanently')
    .addOption(options.by())
    .action(
      async ({
        kind = [],
        all = false,
        yes = false,
        by,
      }: {
        kind?: string[]
        all?: boolean
        yes?: boolean
        by: string
      }) => {
        if (all && kind.length > 0) {
          throw new InvalidArgumentError('Use --all or --kind, not both.')
        }
        const { keys: feature } = (await useContext()).features
        const kinds = all ? feature.show().kinds.map((each) => each.kind) : kind
        const revocation = { earlierKeys: all || kind.length === 0, kinds }
        const ended = yes ? await feature.revoke(revocation, by) : feature.plan(revocation)
        const verb = yes ? 'Revoked' : 'Would revoke'
        for (const { fingerprint, source } of ended.keys) {
          print.line(`${verb}: the key ${fingerprint} (${source}) and everything signed with it`)
        }
        for (const { kind: name, what } of ended.kinds) print.line(`${verb}: ${name}: ${what}`)
        if (ended.keys.length + ended.kinds.length === 0) {
          print.line('No previous key to revoke. To revoke the current one, run keys rotate first.')
          return
        }
        if (!yes) print.line(options.dryRun('revoke for good'))
        else sayWhatIsLeft(ended, print)
      },
    )
}

/** What staff still have to do. */
function sayWhatIsLeft(ended: Pick<Shown, 'keys' | 'kinds'>, print: Print): void {
  if (ended.keys.some(({ source }) => source === 'SECRET_KEY_OLD')) {
    print.line('Remove the revoked keys from SECRET_KEY_OLD.')
  }
  const isVoid = ended.keys.length > 0 || ended.kinds.some(({ kind }) => kind === 'codes')
  if (isVoid) print.line('Replace access codes that no longer work with codes rotate.')
}

const keyRows = ({ keys }: Shown) =>
  keys.map(({ fingerprint, source, state, since, endsAt }) => ({
    fingerprint,
    source,
    state,
    since: when(since),
    endsAt: when(endsAt),
  }))

const kindRows = ({ kinds }: Shown) =>
  kinds.map(({ kind, what, revokedAt }) => ({ kind, what, revokedAt: when(revokedAt) }))
