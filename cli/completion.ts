import { Argument, type Command } from 'commander'
import type { Print } from './common/print.ts'

/** The shells that completions are made for. */
const shells = ['bash', 'zsh', 'fish'] as const

/** What can follow after some words of a command line. */
type Branch = {
  /** These words, without the program's name: `tickets list`. */
  path: string
  words: readonly { word: string; about: string }[]
  /** Values by the option that takes them; of arguments under an empty name. */
  values: ReadonlyMap<string, readonly string[]>
}

/**
 * `completion`: a script for a shell that completes nouns, verbs, options and their fixed values. It is
 * made from the commands themselves.
 * @param loadAll adds the verbs of every noun
 */
export function addCompletion(
  completion: Command,
  loadAll: (program: Command) => Promise<void>,
  print: Print,
): void {
  completion
    .addArgument(new Argument('<shell>', 'which one').choices(shells))
    .addHelpText(
      'after',
      `
bash  pitlane completion bash > ~/.local/share/bash-completion/completions/pitlane
zsh   pitlane completion zsh > a directory of $fpath/_pitlane
fish  pitlane completion fish > ~/.config/fish/completions/pitlane.fish

If the directory is missing, make it first (mkdir -p).`,
    )
    .action(async (shell: (typeof shells)[number]) => {
      const program = completion.parent!
      await loadAll(program)
      const all = branches(program)
      print.line({ bash, zsh, fish }[shell](program.name(), all).trimEnd())
    })
}

/** A command and all below it. */
function branches(command: Command, path = ''): Branch[] {
  const help = command.createHelp()
  const below = help.visibleCommands(command)
  const options = help.visibleOptions(command)
  const words = [
    ...below.flatMap((each) =>
      [each.name(), ...each.aliases()].map((word) => ({
        word,
        about: help.subcommandDescription(each),
      })),
    ),
    ...options.flatMap(({ long, description }) =>
      long ? [{ word: long, about: description }] : [],
    ),
  ]
  const values = new Map(
    options.flatMap(({ long, argChoices }) => (long && argChoices ? [[long, argChoices]] : [])),
  )
  const fixed = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? [])
  if (fixed.length > 0) values.set('', fixed)
  return [
    { path, words, values },
    ...below.flatMap((each) =>
      [each.name(), ...each.aliases()].flatMap((name) => branches(each, `${path} ${name}`.trim())),
    ),
  ]
}

/** A text between single quotes, as bash and zsh read it. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** The cases of a function that prints words for a path. */
const cases = (all: readonly { key: string; words: readonly string[] }[]) =>
  all.map(({ key, words }) => `    ${quoted(key)}) echo ${quoted(words.join(' '))} ;;`).join('\n')

const valueCases = (all: readonly Branch[]) =>
  all.flatMap(({ path, values }) =>
    Array.from(values, ([option, words]) => ({ key: `${path} ${option}`, words })),
  )

const bash = (name: string, all: readonly Branch[]): string => `# bash completion for ${name}
_${name}_words() {
  case "$1" in
${cases(all.map(({ path, words }) => ({ key: path, words: words.map(({ word }) => word) })))}
    *) return 1 ;;
  esac
}
_${name}_values() {
  case "$1" in
${cases(valueCases(all))}
  esac
}
_${name}() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]}
  local path='' next at found
  for ((at = 1; at < COMP_CWORD; at++)); do
    next="\${path:+$path }\${COMP_WORDS[at]}"
    _${name}_words "$next" > /dev/null || break
    path=$next
  done
  found=$(_${name}_values "$path $previous")
  if [ -z "$found" ]; then
    found="$(_${name}_values "$path ") $(_${name}_words "$path")"
  fi
  COMPREPLY=($(compgen -W "$found" -- "$current"))
}
complete -o default -F _${name} ${name}
`

const zsh = (name: string, all: readonly Branch[]): string => `#compdef ${name}
_${name}() {
  local at next
  local path_of=''
  local -a found
  for ((at = 2; at < CURRENT; at++)); do
    next="\${path_of:+$path_of }\${words[at]}"
    case "$next" in
      ${all
        .slice(1)
        .map(({ path }) => quoted(path))
        .join('|')}) path_of=$next ;;
      *) break ;;
    esac
  done
  case "$path_of \${words[CURRENT-1]}" in
${valueCases(all)
  .filter(({ key }) => !key.endsWith(' '))
  .map(
    ({ key, words }) => `    ${quoted(key)}) compadd -- ${words.map(quoted).join(' ')}; return ;;`,
  )
  .join('\n')}
  esac
  case "$path_of" in
${all
  .map(({ path, words, values }) => {
    const described = words.map(({ word, about }) =>
      quoted(`${word}:${about.replaceAll(':', '\\:')}`),
    )
    const fixed = (values.get('') ?? []).map(quoted)
    return `    ${quoted(path)}) found=(${[...fixed, ...described].join(' ')}) ;;`
  })
  .join('\n')}
  esac
  _describe -V '${name}' found
  _files
}
compdef _${name} ${name}
`

const fish = (name: string, all: readonly Branch[]): string => {
  const lines = all.flatMap(({ path, words, values }) => {
    const when = `-n '__${name}_at "${path}"'`
    return [
      ...words.map(({ word, about }) => {
        const text = `'${about.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
        if (!word.startsWith('--')) return `complete -c ${name} ${when} -a ${word} -d ${text}`
        const choices = values.get(word)
        const takes = choices ? ` -x -a '${choices.join(' ')}'` : ''
        return `complete -c ${name} ${when} -l ${word.slice(2)} -d ${text}${takes}`
      }),
      ...(values.get('') ?? []).map((word) => `complete -c ${name} ${when} -a '${word}'`),
    ]
  })
  const paths = all.slice(1).map(({ path }) => `'${path}'`)
  return `# fish completion for ${name}
set -g __${name}_paths ${paths.join(' ')}
function __${name}_at
    set -l path
    for word in (commandline -opc)[2..-1]
        set -l next (string trim "$path $word")
        contains -- $next $__${name}_paths; or break
        set path $next
    end
    test "$path" = "$argv[1]"
end
${lines.join('\n')}
`
}
