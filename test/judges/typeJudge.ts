import ts from 'typescript'

const FILE = new URL('values.judged.ts', import.meta.url).pathname

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
 * Has the compiler hold values against types, each written as a `preamble` lets it be. Gives, for each, what it finds wrong;
 * nothing for one that fits. More fields than the type knows are no fault.
 */
export const judgeByTypes = (
  preamble: readonly string[],
  values: readonly (readonly [type: string, unknown])[],
): readonly (readonly string[])[] => {
  const judged = values.map(
    ([type, value], i) => `const a${i} = ${JSON.stringify(value)} as const; export const b${i}: ${type} = a${i}`,
  )
  const text = [...preamble, ...judged].join('\n')
  const host = ts.createCompilerHost(OPTIONS)
  const read = host.getSourceFile
  host.getSourceFile = (name, ...rest) =>
    name === FILE ? ts.createSourceFile(name, text, ts.ScriptTarget.ES2022) : read.call(host, name, ...rest)
  const program = ts.createProgram([FILE], OPTIONS, host)
  const found: string[][] = values.map(() => [])
  for (const { start = 0, messageText } of ts.getPreEmitDiagnostics(program, program.getSourceFile(FILE))) {
    const message = ts.flattenDiagnosticMessageText(messageText, ' ')
    const faults = found[text.slice(0, start).split('\n').length - 1 - preamble.length]
    if (!faults) throw new Error(`the judge itself does not compile: ${message}`)
    faults.push(message)
  }
  return found
}
