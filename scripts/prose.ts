import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { marked, type Token } from 'marked'
import { type OpenApiDocument, projectRoot } from './contract/document.ts'

/**
 * Measures prose: Markdown files, descriptions of the contract, and doc comments. Counts sentences that are too long and words of
 * the dialect that the project leaves behind. `scripts/budget.json` holds the number of each group, and it may only fall.
 */

export type ProseSize = {
  readonly sentences: number
  /** Sentences of more than 25 words. */
  readonly long: number
  /** Sentences of more than 35 words. */
  readonly overlong: number
  /** Sentences with a phrase of the dialect. */
  readonly dialect: number
}

type Sentence = { readonly text: string; readonly words: number }

const [LONG, OVERLONG] = [25, 35]

/** Verbs and pronouns that hide who does what. Code spans are not read. */
const DIALECT = [
  /\b(nobody|anybody|whoever|himself|herself|his|him)\b/i,
  /\b(tells?|told|untold|wants?|wanted|knows|knew)\b/i,
  /\b(says|said|speaks)\b/i,
  /\blook(s|ed|ing)? (at|after|for)\b/i,
  /\b(gives?|given|gave) (away|up)\b/i,
  /\b(takes?|taken|took) \w+ for\b/i,
  /('s|’s|on (its|their)|at (its|their)) word\b/i,
  /\bany more\b/i,
  /\b(is|are|was|were|has|have|had) (none|no such)\b/i,
  /\bwhat (is|are|was|were|has|have|had|comes|came|goes|went)\b/i,
  /\b(had|kept|met|seen|heard) (it|them) (by|of|from)\b/i,
]

/** A word contains a letter or a digit. Only `.`, `!` and `?` before a space end a sentence. */
const sentencesOf = (text: string): readonly Sentence[] =>
  text
    .replaceAll(/\s+/g, ' ')
    .split(/(?<=[.!?]["')*_]{0,3}) /)
    .map((sentence) => ({ text: sentence.trim(), words: sentence.split(' ').filter((word) => /[\p{L}\d]/u.test(word)).length }))
    .filter(({ words }) => words > 0)

/** The text of inline tokens. A code span is one word, and so is the address of a link. */
const inlineText = (tokens: readonly Token[] = []): string =>
  tokens
    .map((token): string => {
      if (token.type === 'codespan') return 'CODE'
      if (token.type === 'html' || token.type === 'image') return ''
      if (token.type === 'br') return ' '
      if ('tokens' in token && token.tokens !== undefined) return inlineText(token.tokens)
      return 'text' in token ? String(token.text) : ''
    })
    .join('')

/** Paragraphs, headings and list items, and each row of a table as one text: a cell ends no sentence. */
const textsIn = (tokens: readonly Token[]): readonly string[] =>
  tokens.flatMap((token): readonly string[] => {
    if (token.type === 'table') {
      const rows = [token['header'], ...token['rows']] as readonly (readonly { readonly tokens: Token[] }[])[]
      return rows.map((cells) => cells.map((cell) => inlineText(cell.tokens)).join(' '))
    }
    if (token.type === 'list') return textsIn(token['items'] as readonly Token[])
    if (token.type === 'list_item' || token.type === 'blockquote') return textsIn(token['tokens'] ?? [])
    if (token.type === 'paragraph' || token.type === 'heading' || token.type === 'text') {
      return [inlineText('tokens' in token && token.tokens !== undefined ? token.tokens : [token])]
    }
    return []
  })

/** The sentences of a Markdown text; code blocks are left out. */
export const markdownSentences = (markdown: string): readonly Sentence[] => textsIn(marked.lexer(markdown)).flatMap(sentencesOf)

const DOC_COMMENT = /\/\*\*([\s\S]*?)\*\/|^[ \t]*\/\/ (.*)$/gm

const commentSentences = (source: string): readonly Sentence[] =>
  [...source.matchAll(DOC_COMMENT)].flatMap(([, block, line]) =>
    markdownSentences((block ?? line ?? '').replaceAll(/^[ \t]*\* ?/gm, '')),
  )

const describedIn = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    (key === 'description' || key === 'summary') && typeof inner === 'string' ? [inner] : describedIn(inner),
  )
}

/** The sentences of a file by its kind: Markdown, the contract's descriptions (each once), or the comments of code. */
const readSentences = async (root: string, path: string): Promise<readonly Sentence[]> => {
  if (path === 'openapi.yaml') {
    const document = JSON.parse(await readFile(join(root, 'generated/openapi.json'), 'utf8')) as OpenApiDocument
    return [...new Set(describedIn(document))].flatMap(markdownSentences)
  }
  const source = await readFile(join(root, path), 'utf8')
  return path.endsWith('.md') ? markdownSentences(source) : commentSentences(source)
}

const isDialect = ({ text }: Sentence): boolean => DIALECT.some((phrase) => phrase.test(text))

export const measureProse = async (root: string, path: string): Promise<ProseSize> => {
  const sentences = await readSentences(root, path)
  return {
    sentences: sentences.length,
    long: sentences.filter(({ words }) => words > LONG).length,
    overlong: sentences.filter(({ words }) => words > OVERLONG).length,
    dialect: sentences.filter(isDialect).length,
  }
}

export const isProse = (path: string): boolean =>
  path === 'openapi.yaml' || (/\.(md|ts)$/.test(path) && !path.startsWith('generated/'))

/** Lists the sentences of the given files that count. */
const main = async (paths: readonly string[]): Promise<void> => {
  for (const path of paths) {
    for (const sentence of await readSentences(projectRoot, path)) {
      const marks = [sentence.words > LONG ? `${sentence.words} words` : '', isDialect(sentence) ? 'dialect' : ''].filter(Boolean)
      if (marks.length > 0) console.log(`${path}: ${marks.join(', ')}: ${sentence.text}`)
    }
  }
}

if (import.meta.main) await main(process.argv.slice(2))
