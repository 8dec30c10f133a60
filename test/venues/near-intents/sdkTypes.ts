import ts from 'typescript'

/*
 * How the client's types meet the wire: its enums are strings there, what is optional may be null, and the quote inside a
 * status comes without its `correlationId`. All three as the live venue's own answers have it, which are judged here too.
 */
const PREAMBLE = [
  "import type * as sdk from '@defuse-protocol/one-click-sdk-typescript'",
  'type OrNull<T, V> = undefined extends T ? V | null : V',
  "type Told<K, T> = K extends 'quoteResponse' ? Wire<Omit<T, 'correlationId'>> : OrNull<T, Wire<NonNullable<T>>>",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template of the judged text, not of this one
  'type Wire<T> = T extends string ? `${T}` : T extends readonly (infer E)[] ? readonly Wire<E>[] :',
  '  T extends object ? { readonly [K in keyof T]: Told<K, T[K]> } : T',
]

const FILE = new URL('answers.judged.ts', import.meta.url).pathname

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
}

/**
 * Has the compiler hold answers against types of the official client, each by its name. Gives, for each, what it finds
 * wrong; nothing for an answer that fits. More fields than the client knows are no fault: the live venue sends some.
 */
export const judgeBySdkTypes = (answers: readonly (readonly [type: string, unknown])[]): readonly (readonly string[])[] => {
  const judged = answers.map(
    ([type, answer], i) => `const a${i} = ${JSON.stringify(answer)} as const; export const b${i}: Wire<sdk.${type}> = a${i}`,
  )
  const text = [...PREAMBLE, ...judged].join('\n')
  const host = ts.createCompilerHost(OPTIONS)
  const read = host.getSourceFile
  host.getSourceFile = (name, ...rest) =>
    name === FILE ? ts.createSourceFile(name, text, ts.ScriptTarget.ES2022) : read.call(host, name, ...rest)
  const program = ts.createProgram([FILE], OPTIONS, host)
  const found: string[][] = answers.map(() => [])
  for (const { start = 0, messageText } of ts.getPreEmitDiagnostics(program, program.getSourceFile(FILE))) {
    const message = ts.flattenDiagnosticMessageText(messageText, ' ')
    const faults = found[text.slice(0, start).split('\n').length - 1 - PREAMBLE.length]
    if (!faults) throw new Error(`the judge itself does not compile: ${message}`)
    faults.push(message)
  }
  return found
}
