import { Marked, type Tokens } from 'marked'

/**
 * HTML of the project's own Markdown. Links lead to pages of this site or to https; any other is left as its text, since
 * the file that it names is not served. Markup in the Markdown is shown as it is written.
 */

export type LinkTarget = { readonly href: string; readonly isForeign: boolean }

/** Where a link of a page leads on this site; null: nowhere. */
export type ResolveLink = (href: string) => LinkTarget | null

const ESCAPES: { readonly [sign: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign)

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
  `<div class="scrolled" tabindex="0" role="region" aria-label="${what}">${html}</div>`

export const renderMarkdown = (markdown: string, resolve: ResolveLink): string => {
  const anchorOf = createAnchors()
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const anchor = anchorOf(plainText(tokens))
        const text = this.parser.parseInline(tokens)
        const link = depth === 1 ? '' : ` <a class="anchor" href="#${anchor}" aria-label="Link to this section">#</a>`
        return `<h${depth} id="${anchor}">${text}${link}</h${depth}>\n`
      },
      code({ text, lang }) {
        const language = (lang ?? '').split(' ', 1)[0] ?? ''
        const label = language === '' ? 'Example' : `Example, ${escapeHtml(language)}`
        return `<pre tabindex="0" role="region" aria-label="${label}"><code>${escapeHtml(text)}\n</code></pre>\n`
      },
      table({ header, rows }) {
        const cells = (row: readonly Tokens.TableCell[], tag: 'th' | 'td') =>
          `<tr>${row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`
        const body = rows.map((row) => cells(row, 'td')).join('')
        return scrolled('Table', `<table><thead>${cells(header, 'th')}</thead><tbody>${body}</tbody></table>`)
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens)
        const target = resolve(href)
        if (target === null) return text
        return `<a href="${escapeHtml(target.href)}"${target.isForeign ? ' rel="noreferrer"' : ''}>${text}</a>`
      },
      image: ({ text }) => escapeHtml(text),
      html: ({ text }) => escapeHtml(text),
    },
  })
  return marked.parse(markdown, { async: false })
}
