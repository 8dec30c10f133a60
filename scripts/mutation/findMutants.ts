import ts from 'typescript'

/** One change of one expression or statement. `start` and `end` are offsets in the file. */
export type Mutant = {
  /** Names the mutant without its path and line, so that it is found again after a move: scope, operator, text, ordinal. */
  readonly key: string
  readonly file: string
  readonly line: number
  readonly operator: string
  readonly start: number
  readonly end: number
  /** True if a statement begins here: without a semicolon, a bracket would continue the line before. */
  readonly isStart: boolean
  readonly original: string
  readonly mutated: string
}

type Change = readonly [operator: string, mutated: string]

const BINARY: { readonly [operator: string]: string } = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
}

const METHODS: { readonly [method: string]: string } = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  find: 'findLast',
  findLast: 'find',
}

/** Links of a chain that can go: `rows.filter(f).map(g)` becomes `rows.map(g)`. */
const LINKS = /^(filter|where|onConflict|toSorted|toLowerCase|trim)$/

const SQL: { readonly [operator: string]: string } = { '=': '!=', '!=': '=', '<': '<=', '<=': '<', '>': '>=', '>=': '>' }

/** Calls whose text is for people or programs that diagnose: not behaviour to protect. */
const TEXT_CALLS = /^(log|warn|info|error|debug|observe|notice|rejected|describe)$/

const calleeOf = (node: ts.CallExpression | ts.NewExpression): string => {
  const { expression } = node
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText()
}

const isText = (node: ts.Node): boolean => {
  if (ts.isThrowStatement(node) || ts.isNewExpression(node)) return ts.isThrowStatement(node) || /Error$/.test(calleeOf(node))
  return ts.isCallExpression(node) && TEXT_CALLS.test(calleeOf(node))
}

/** A value that the code hands on, in contrast to a key, a path of an import or a type. */
const isHandedOn = (node: ts.Node): boolean => {
  const { parent } = node
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node
  if (ts.isConditionalExpression(parent)) return parent.condition !== node
  return ts.isReturnStatement(parent) || (ts.isArrowFunction(parent) && parent.body === node) || ts.isCaseClause(parent)
}

const literalChanges = (node: ts.Node): readonly Change[] => {
  if (ts.isBigIntLiteral(node)) return [['literal', `(${node.getText()} + 1n)`]]
  if (ts.isNumericLiteral(node)) return [['literal', `(${node.getText()} + 1)`]]
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [['literal', 'false']]
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [['literal', 'true']]
  if (!ts.isStringLiteral(node)) return []
  const { parent, text } = node
  const sql = ts.isCallExpression(parent) && parent.arguments[1] === node ? SQL[text] : undefined
  if (sql !== undefined) return [['query operator', `'${sql}'`]]
  return text !== '' && isHandedOn(node) ? [['string', "''"]] : []
}

const callChanges = (node: ts.CallExpression): readonly Change[] => {
  const { expression } = node
  if (!ts.isPropertyAccessExpression(expression)) return []
  const [object, method] = [expression.expression.getText(), expression.name.text]
  const args = node.arguments.map((argument) => argument.getText()).join(', ')
  if (LINKS.test(method) && !expression.questionDotToken) return [['link', object]]
  const other = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined
  return other === undefined ? [] : [['method', `${object}${expression.questionDotToken ? '?.' : '.'}${other}(${args})`]]
}

const binaryChanges = (node: ts.BinaryExpression): readonly Change[] => {
  const [left, operator, right] = [node.left.getText(), node.operatorToken.getText(), node.right.getText()]
  if (operator === '??') return [['fallback', left]]
  if (operator === '+=' || operator === '-=') return [['operator', `${left} ${operator === '+=' ? '-=' : '+='} ${right}`]]
  const isJoin =
    operator === '+' && [node.left, node.right].some((side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side))
  const other = isJoin || !Object.hasOwn(BINARY, operator) ? undefined : BINARY[operator]
  return other === undefined ? [] : [['operator', `(${left}) ${other} (${right})`]]
}

/** The condition of an `if`, a loop or a ternary: always true, always false. A loop that never ends is left out. */
const conditionChanges = (node: ts.Node): readonly Change[] => {
  const { parent } = node
  const isLoop =
    (ts.isWhileStatement(parent) && parent.expression === node) || (ts.isForStatement(parent) && parent.condition === node)
  if (isLoop) return [['condition', 'false']]
  const isBranch =
    (ts.isIfStatement(parent) && parent.expression === node) || (ts.isConditionalExpression(parent) && parent.condition === node)
  return isBranch
    ? [
        ['condition', 'true'],
        ['condition', 'false'],
      ]
    : []
}

const changesOf = (node: ts.Node): readonly Change[] => {
  const changes: Change[] = [...literalChanges(node)]
  if (ts.isBinaryExpression(node)) changes.push(...binaryChanges(node))
  if (ts.isCallExpression(node)) changes.push(...callChanges(node))
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    changes.push(['negation', node.operand.getText()])
  if (ts.isExpressionStatement(node.parent) && !node.getText().startsWith('super(')) changes.push(['statement', 'undefined'])
  return ts.isExpression(node) ? [...changes, ...conditionChanges(node)] : changes
}

/** Names, types and keys hold no behaviour; a wrapped target of an assignment would not compile. */
const isLeftOut = (node: ts.Node): boolean =>
  ts.isTypeNode(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isImportDeclaration(node) ||
  ts.isExportDeclaration(node) ||
  ts.isTemplateExpression(node) ||
  isText(node)

const nameOf = (node: ts.Node): string | undefined => {
  const { name } = node as { readonly name?: ts.Node }
  const isScope =
    ts.isVariableDeclaration(node) || ts.isFunctionLike(node) || ts.isPropertyAssignment(node) || ts.isClassLike(node)
  return isScope && name ? name.getText().replaceAll(/\s+/g, ' ').slice(0, 40) : undefined
}

/** A chain continues behind this node, and brackets around it would end its `?.`. */
const isInsideChain = (node: ts.Node): boolean => {
  const { parent } = node
  const isLink = ts.isPropertyAccessExpression(parent) || ts.isElementAccessExpression(parent) || ts.isCallExpression(parent)
  return isLink && parent.expression === node && node.getText().includes('?.')
}

const startsStatement = (node: ts.Node): boolean => {
  let outer = node
  while (!ts.isExpressionStatement(outer)) {
    if (outer.parent === undefined || outer.parent.getStart() !== node.getStart()) return false
    outer = outer.parent
  }
  return ts.isBlock(outer.parent) || ts.isSourceFile(outer.parent) || ts.isCaseOrDefaultClause(outer.parent)
}

const brief = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 120)

/** All mutants of a file, in the order of the text; `key` lacks the ordinal still. */
export const findMutants = (file: string, text: string): readonly Mutant[] => {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true)
  const found: Mutant[] = []
  const visit = (node: ts.Node, scope: string): void => {
    if (isLeftOut(node)) return
    const name = nameOf(node)
    const inner = name === undefined ? scope : `${scope}.${name}`
    const isKey = 'name' in node.parent && node.parent.name === node
    if (!isKey && !isInsideChain(node))
      for (const [operator, mutated] of changesOf(node)) {
        const [start, original] = [node.getStart(), node.getText()]
        const line = source.getLineAndCharacterOfPosition(start).line + 1
        const key = `${inner.slice(1)} | ${operator} | ${brief(original)} -> ${brief(mutated)}`
        found.push({ key, file, line, operator, start, end: node.getEnd(), isStart: startsStatement(node), original, mutated })
      }
    ts.forEachChild(node, (child) => visit(child, inner))
  }
  ts.forEachChild(source, (node) => visit(node, ''))
  return found
}

/** The file with all its mutants, each behind `__mutant(number)`. */
export const instrument = (text: string, mutants: readonly (Mutant & { readonly id: number })[]): string => {
  const inserts = mutants.flatMap(({ start, end, isStart, mutated, id }) => [
    { at: start, order: 1e9 - (end - start), isStart, text: `(__mutant(${id}) ? (${mutated}) : ` },
    { at: end, order: end - start - 1e9, isStart: false, text: ')' },
  ])
  // Outer ones open first and close last; at one place those that close come before those that open.
  inserts.sort((a, b) => a.at - b.at || a.order - b.order)
  let result = ''
  let at = 0
  for (const insert of inserts) {
    const semicolon = insert.isStart && (at !== insert.at || result === '' || result.endsWith(')')) ? ';' : ''
    result += text.slice(at, insert.at) + semicolon + insert.text
    at = insert.at
  }
  return result + text.slice(at)
}
