import { readFileSync } from 'node:fs'
import ts from 'typescript'

/** A regular expression in our source. `pattern` null: what it will be cannot be read there. */
export type FoundPattern = {
  readonly file: string
  readonly text: string
  readonly pattern: { readonly source: string; readonly flags: string } | null
}

const splitLiteral = (text: string): FoundPattern['pattern'] => {
  const end = text.lastIndexOf('/')
  return { source: text.slice(1, end), flags: text.slice(end + 1) }
}

const isCallOfRegExp = (node: ts.Node): node is ts.NewExpression | ts.CallExpression =>
  (ts.isNewExpression(node) || ts.isCallExpression(node)) && ts.isIdentifier(node.expression) && node.expression.text === 'RegExp'

/** The keyword of a JSON schema, which ajv compiles with the flag u. */
const isPatternKeyword = (node: ts.Node): node is ts.PropertyAssignment =>
  ts.isPropertyAssignment(node) && (ts.isIdentifier(node.name) || ts.isStringLiteral(node.name)) && node.name.text === 'pattern'

/** Something that is no schema: a regular expression, found where it stands, or an object with a `test` of its own. */
const isNoSchema = (node: ts.Expression): boolean =>
  node.kind === ts.SyntaxKind.RegularExpressionLiteral || ts.isObjectLiteralExpression(node)

/** Every regular expression of a file: literals, calls of RegExp, and the patterns of JSON schemas. */
export const findPatterns = (file: string, content = readFileSync(file, 'utf8')): readonly FoundPattern[] => {
  const found: FoundPattern[] = []
  const visit = (node: ts.Node): void => {
    const text = node.getText()
    if (node.kind === ts.SyntaxKind.RegularExpressionLiteral) found.push({ file, text, pattern: splitLiteral(text) })
    else if (isCallOfRegExp(node)) {
      const [source, flags] = node.arguments ?? []
      const isPlain = source && ts.isStringLiteralLike(source) && (!flags || ts.isStringLiteralLike(flags))
      const pattern = isPlain ? { source: source.text, flags: flags && ts.isStringLiteralLike(flags) ? flags.text : '' } : null
      found.push({ file, text, pattern })
    } else if (isPatternKeyword(node) && !isNoSchema(node.initializer)) {
      const { initializer } = node
      found.push({ file, text, pattern: ts.isStringLiteralLike(initializer) ? { source: initializer.text, flags: 'u' } : null })
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, content, ts.ScriptTarget.Latest, true))
  return found
}
