import { Marked, type Tokens } from 'marked'
import { escapeHtml } from './escapeHtml.ts'
import { paintCode } from './paintCode.ts'

/**
 * HTML of the project's own Markdown. Links lead to pages of this site or to https. Any other link becomes plain text, since its
 * file is not served. Markup in the Markdown is escaped.
 */

export type LinkTarget = { readonly href: string; readonly isForeign: boolean }

export type RenderOptions = {
  /** The target of a page's link on this site; null for plain text. */
  readonly resolve: (href: string) => LinkTarget | null
  /** The place that documents a code span, such as an operation; null without one. Only the first span of a place links to it. */
  readonly findPlace?: (code: string) => string | null
}

/** A heading of the second level. */
export type Section = { readonly anchor: string; readonly title: string }

export type Rendered = { readonly html: string; readonly sections: readonly Section[] }

/** The name of a heading in an address, as GitHub makes it; a second one of the same name has a number. */
const createAnchors = (): ((text: string) => string) => {
  const seen = new Map<string, number>()
  return (text) => {
    const name = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-')
    const before = seen.get(name) ?? 0
    seen.set(name, before + 1)
    return before === 0 ? name : `${name}-${before}`
  }
}

const plainText = (tokens: readonly Tokens.Generic[]): string =>
  tokens.map((token) => (token.tokens ? plainText(token.tokens) : String(token['text'] ?? ''))).join('')

/** Readers who use the keyboard scroll what they can reach: so must be whatever is wider than the page. */
const scrolled = (what: string, html: string): string =>
  `<div class="scrolled" tabindex="0" role="group" aria-label="${what}">${html}</div>`

const block = ({ text, lang = '' }: Tokens.Code): string => {
  const language = lang.split(' ', 1)[0] ?? ''
  const label = language === '' ? 'Example' : `Example, ${escapeHtml(language)}`
  const pre = `<pre tabindex="0" role="group" aria-label="${label}"><code>${paintCode(text, language)}\n</code></pre>`
  return `<div class="example">${pre}</div>\n`
}

const anchorLink = (anchor: string, title: string): string =>
  ` <a class="anchor" href="#${anchor}" aria-label="Link to this section: ${escapeHtml(title)}">#</a>`

export const renderMarkdown = (markdown: string, { resolve, findPlace = () => null }: RenderOptions): Rendered => {
  const anchorOf = createAnchors()
  const sections: Section[] = []
  const shown = new Set<string>()
  /** Whether code may become a link: not within another one, nor in a heading. */
  let isFree = true
  const bound = (work: () => string): string => {
    isFree = false
    const html = work()
    isFree = true
    return html
  }
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const title = plainText(tokens)
        const anchor = anchorOf(title)
        if (depth === 2) sections.push({ anchor, title })
        const text = bound(() => this.parser.parseInline(tokens))
        return `<h${depth} id="${anchor}">${text}${depth === 1 ? '' : anchorLink(anchor, title)}</h${depth}>\n`
      },
      code: block,
      codespan({ text }) {
        const place = isFree ? findPlace(text) : null
        const code = `<code>${escapeHtml(text)}</code>`
        if (place === null || shown.has(place)) return code
        shown.add(place)
        return `<a href="${escapeHtml(place)}">${code}</a>`
      },
      table({ header, rows }) {
        const cells = (row: readonly Tokens.TableCell[], tag: 'th' | 'td') =>
          `<tr>${row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`
        const head = bound(() => cells(header, 'th'))
        const body = rows.map((row) => cells(row, 'td')).join('')
        return scrolled('Table', `<table><thead>${head}</thead><tbody>${body}</tbody></table>`)
      },
      link({ href, tokens }) {
        const text = bound(() => this.parser.parseInline(tokens))
        const target = resolve(href)
        if (target === null) return text
        return `<a href="${escapeHtml(target.href)}"${target.isForeign ? ' rel="noreferrer"' : ''}>${text}</a>`
      },
      image: ({ text }) => escapeHtml(text),
      html: ({ text }) => escapeHtml(text),
    },
  })
  return { html: marked.parse(markdown, { async: false }), sections }
}
