import ts from 'typescript'

/** The types of the official client that its answers are held to. */
export type SdkType =
  | 'TokenResponse[]'
  | 'QuoteResponse'
  | 'GetExecutionStatusResponse'
  | 'SubmitDepositTxResponse'
  | 'BadRequestResponse'

/*
 * How the client's types meet the wire: its enums are strings there, what is optional may be null, and the quote inside a
 * status comes without its `correlationId`. All three as the live venue's own answers have it, which are judged here too.
 */
const PREAMBLE = `
import type { BadRequestResponse, GetExecutionStatusResponse, QuoteResponse, SubmitDepositTxResponse, TokenResponse } from '@defuse-protocol/one-click-sdk-typescript'
type OrNull<T, V> = undefined extends T ? V | null : V
type Wire<T> = T extends string ? \`\${T}\`
  : T extends readonly (infer E)[] ? readonly Wire<E>[]
  : T extends object ? { readonly [K in keyof T]: K extends 'quoteResponse' ? Wire<Omit<T[K], 'correlationId'>> : OrNull<T[K], Wire<NonNullable<T[K]>>> }
  : T
`

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
 * Has the compiler hold answers against the official client's own types. Gives, for each, what it finds wrong; nothing for
 * an answer that fits. More fields than the client knows are no fault: the live venue sends some.
 */
export const judgeBySdkTypes = (answers: readonly (readonly [SdkType, unknown])[]): readonly (readonly string[])[] => {
  const lines = answers.map(
    ([type, answer], i) =>
      `const answer${i} = ${JSON.stringify(answer)} as const; export const judged${i}: Wire<${type}> = answer${i}`,
  )
  const text = [PREAMBLE.trimEnd(), ...lines].join('\n')
  const offset = PREAMBLE.trimEnd().split('\n').length
  const host = ts.createCompilerHost(OPTIONS)
  const read = host.getSourceFile
  host.getSourceFile = (name, ...rest) =>
    name === FILE ? ts.createSourceFile(name, text, ts.ScriptTarget.ES2022) : read.call(host, name, ...rest)
  const program = ts.createProgram([FILE], OPTIONS, host)
  const found: string[][] = answers.map(() => [])
  for (const { start, messageText } of ts.getPreEmitDiagnostics(program, program.getSourceFile(FILE))) {
    const line = text.slice(0, start ?? 0).split('\n').length - 1
    const message = ts.flattenDiagnosticMessageText(messageText, ' ')
    if (line < offset) throw new Error(`the judge itself does not compile: ${message}`)
    found[line - offset]?.push(message)
  }
  return found
}
