import { escapeHtml } from './escapeHtml.ts'

/**
 * Colours comments, strings and keywords of a program by the common syntax of these languages; other text stays plain. Every
 * alternative matches once it has begun: an unterminated token ends with its line or with the program.
 */

type Grammar = { readonly tokens: RegExp; readonly isComment: (token: string) => boolean }

const LIKE_C: Grammar = {
  tokens:
    /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|`(?:[^`\\]|\\[\s\S])*`?|(?<![\w.$])[A-Za-z_]\w*/g,
  isComment: (token) => token.startsWith('//') || token.startsWith('/*'),
}
const PYTHON: Grammar = {
  tokens: /#[^\n]*|"""[\s\S]*?(?:"""|$)|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|(?<!\w)[A-Za-z_]\w*/g,
  isComment: (token) => token.startsWith('#'),
}
const SHELL: Grammar = {
  tokens: /(?<!\S)#[^\n]*|"(?:[^"\\]|\\[\s\S])*"?|'[^']*'?/g,
  isComment: (token) => token.startsWith('#'),
}

const GRAMMARS: { readonly [language: string]: Grammar } = {
  js: LIKE_C,
  ts: LIKE_C,
  go: LIKE_C,
  java: LIKE_C,
  php: LIKE_C,
  json: LIKE_C,
  py: PYTHON,
  python: PYTHON,
  sh: SHELL,
}

const KEYWORDS = new Set(
  [
    'and as async await break case catch class const continue def default defer do elif else except export extends false',
    'final finally fn for from func function if implements import in instanceof interface is lambda let match new nil None',
    'not null of or package private protected public raise readonly return static switch this throw true try type typeof',
    'undefined use var void while with yield True False',
  ].flatMap((line) => line.split(' ')),
)

const kindOf = (token: string, { isComment }: Grammar): 'comment' | 'text' | 'keyword' | null => {
  if (isComment(token)) return 'comment'
  if (/^["'`]/.test(token)) return 'text'
  return KEYWORDS.has(token) ? 'keyword' : null
}

/** HTML of a program; of a language that is not known here, without colours. */
export const paintCode = (code: string, language: string): string => {
  const grammar = GRAMMARS[language]
  if (!grammar) return escapeHtml(code)
  let html = ''
  let end = 0
  for (const { 0: token, index } of code.matchAll(grammar.tokens)) {
    const kind = kindOf(token, grammar)
    if (kind === null) continue
    html += `${escapeHtml(code.slice(end, index))}<span class="${kind}">${escapeHtml(token)}</span>`
    end = index + token.length
  }
  return html + escapeHtml(code.slice(end))
}
