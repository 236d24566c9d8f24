import { Argument, type Command } from "commander";
import type { AddCommand } from "./command.ts";

const SHELLS = { bash, zsh, fish } as const;
type Shell = keyof typeof SHELLS;

/** What can follow the words of a command. */
interface Completed {
  /** `opzoek account` */
  readonly words: string;
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly {
    readonly name: string;
    readonly description: string;
    readonly takesValue: boolean;
  }[];
}

/** `opzoek completion`: a script for a shell, made of the commands that there are. */
export const addCompletionCommand: AddCommand = (program, context) => {
  program
    .command("completion")
    .description("print a completion script for bash, zsh or fish")
    .addArgument(new Argument("<shell>", "which shell").choices(Object.keys(SHELLS)))
    .action((shell: Shell) => {
      for (const line of SHELLS[shell](completedOf(program, program.name()))) context.out(line);
    });
};

function completedOf(command: Command, words: string): Completed[] {
  const { commands, options } = command;
  const own: Completed = {
    words,
    commands: commands.map((child) => ({ name: child.name(), description: child.description() })),
    options: [
      ...options.flatMap(({ long, description, required }) =>
        typeof long === "string" ? [{ name: long, description, takesValue: required }] : [],
      ),
      { name: "--help", description: "display help for command", takesValue: false },
    ],
  };
  return [own, ...commands.flatMap((child) => completedOf(child, `${words} ${child.name()}`))];
}

/** The names of every command that has others, for scripts that look which words were typed. */
function bash(all: readonly Completed[]): string[] {
  return [
    "# opzoek completion bash: source this, or put it into /etc/bash_completion.d/opzoek",
    "_opzoek() {",
    `  local word="\${COMP_WORDS[COMP_CWORD]}" path=opzoek index names`,
    "  for ((index = 1; index < COMP_CWORD; index++)); do",
    `    case "$path \${COMP_WORDS[index]}" in`,
    `      ${all
      .slice(1)
      .map(({ words }) => quoted(words))
      .join("|")}) path="$path \${COMP_WORDS[index]}" ;;`,
    "    esac",
    "  done",
    '  case "$path" in',
    ...all.map(({ words, commands, options }) => {
      const names = commands.map(({ name }) => name).join(" ");
      const long = options.map(({ name }) => name).join(" ");
      return `    ${quoted(words)}) names=${quoted(names)}; [[ $word == -* ]] && names=${quoted(long)} ;;`;
    }),
    "  esac",
    '  COMPREPLY=($(compgen -W "$names" -- "$word"))',
    "}",
    "complete -o default -F _opzoek opzoek",
  ];
}

/** In zsh `path` is where programs are looked for: no variable of ours may have that name. */
function zsh(all: readonly Completed[]): string[] {
  return [
    "#compdef opzoek",
    "# opzoek completion zsh: put this into a folder of $fpath as _opzoek",
    "_opzoek() {",
    "  local typed=opzoek word",
    "  local -a names",
    `  for word in "\${(@)words[2,CURRENT-1]}"; do`,
    '    case "$typed $word" in',
    `      ${all
      .slice(1)
      .map(({ words }) => quoted(words))
      .join("|")}) typed="$typed $word" ;;`,
    "    esac",
    "  done",
    '  case "$typed" in',
    ...all.flatMap(({ words, commands, options }) => [
      `    ${quoted(words)})`,
      `      names=(${commands.map(described).join(" ")})`,
      `      [[ $PREFIX == -* ]] && names=(${options.map(described).join(" ")}) ;;`,
    ]),
    "  esac",
    "  if (( $#names )); then _describe opzoek names; else _files; fi",
    "}",
    'if [[ $funcstack[1] == _opzoek ]]; then _opzoek "$@"; else compdef _opzoek opzoek; fi',
  ];
}

function described({ name, description }: { readonly name: string; readonly description: string }): string {
  return quoted(`${name.replaceAll(":", "\\:")}:${description}`);
}

function fish(all: readonly Completed[]): string[] {
  return [
    "# opzoek completion fish: put this into ~/.config/fish/completions/opzoek.fish",
    "function __opzoek_at",
    "  set -l path opzoek",
    "  for word in (commandline -opc)[2..-1]",
    '    contains -- "$path $word" $__opzoek_paths; and set path "$path $word"',
    "  end",
    '  test "$path" = "$argv[1]"',
    "end",
    `set -g __opzoek_paths ${all
      .slice(1)
      .map(({ words }) => quoted(words))
      .join(" ")}`,
    ...all.flatMap(({ words, commands, options }) => {
      const here = `complete -c opzoek -n ${quoted(`__opzoek_at '${words}'`)}`;
      return [
        ...commands.map(({ name, description }) => `${here} -f -a ${quoted(name)} -d ${quoted(description)}`),
        ...options.map(
          ({ name, description, takesValue }) =>
            `${here} -l ${name.slice(2)} ${takesValue ? "-r " : ""}-d ${quoted(description)}`,
        ),
      ];
    }),
  ];
}

/** In single quotes, as all three shells read them but for a quote itself: descriptions get another one. */
function quoted(text: string): string {
  return text.includes("'") ? `"${text.replace(/["$\\`]/g, "\\$&")}"` : `'${text}'`;
}
