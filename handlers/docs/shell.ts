import { escapeHtml } from './escapeHtml.ts'
import { GUIDES, type Guide, pathOf } from './guides.ts'
import type { Rendered } from './renderMarkdown.ts'

/** The frame of every page: its title and navigation. */

export type Shell = {
  readonly title: string
  /** What the page is about, for search engines. */
  readonly description: string
  /** HTML. */
  readonly head: string
  readonly body: string
}

/** Sections; fewer are seen at a glance. */
const CONTENTS_FROM = 3

const here = (isHere: boolean): string => (isHere ? ' aria-current="page"' : '')

const bar = (guide: Guide | null, anonymousPerMinute: number): string => `<header class="bar">
  <a class="skip" href="#content">To the content</a>
  <a class="brand" href="/docs">Swap service</a>
  <nav aria-label="Documentation">
    <a href="/docs"${here(guide === null)}>API reference</a>
    <a href="/docs/guides/first-swap"${guide === null ? '' : ' aria-current="true"'}>Guides</a>
    <a href="/openapi.json">openapi.json</a>
  </nav>
  <p class="limit">Without a key: ${anonymousPerMinute.toLocaleString('en-US')} requests a minute</p>
</header>`

const page = ({ title, description, head, body }: Shell): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Swap service</title>
<meta name="description" content="${escapeHtml(description)}">
<link rel="icon" href="data:,">
${head}
</head>
<body>
${body}
</body>
</html>
`

/** `anonymousPerMinute` is the limit in force, which may differ from the default in the document. */
export const referencePage = (anonymousPerMinute: number): string =>
  page({
    title: 'API reference',
    description: 'All operations of the swap service: cross-chain quotes, execution, status, keys and webhooks.',
    head: `<link rel="stylesheet" href="%FILES%/swagger-ui.css">
<link rel="stylesheet" href="%FILES%/theme.css">
<link rel="stylesheet" href="%FILES%/bar.css">
<link rel="stylesheet" href="%FILES%/reference.css">
<script src="%FILES%/swagger-ui.js" defer></script>
<script type="module" src="%FILES%/reference.js"></script>`,
    body: `${bar(null, anonymousPerMinute)}
<div class="columns">
<nav class="guides find" aria-label="Operations">
<input type="search" placeholder="Find (Ctrl+K)" aria-label="Find an operation" aria-keyshortcuts="Control+K">
<p role="status"></p>
<ul></ul>
</nav>
<div id="content" tabindex="-1" data-document="%FILES%/openapi.json"><p class="loading">Loading the API reference …</p></div>
</div>
<noscript><p class="loading">The reference needs JavaScript. The <a href="/docs/guides/first-swap">guides</a> do not, and <a href="/openapi.json">the document itself</a> is JSON.</p></noscript>`,
  })

const list = (current: Guide): string =>
  `<ul>${GUIDES.map((guide) => `<li><a href="${pathOf(guide)}"${here(guide === current)}>${escapeHtml(guide.title)}</a></li>`).join('')}</ul>`

/** The guides that come before and after, for those who read on. */
const turns = (current: Guide): string => {
  const index = GUIDES.indexOf(current)
  const turn = (guide: Guide | undefined, rel: 'prev' | 'next', label: string) =>
    guide ? `<a rel="${rel}" href="${pathOf(guide)}"><span>${label}</span> ${escapeHtml(guide.title)}</a>` : '<span></span>'
  return `<nav class="turns" aria-label="Next and previous">${turn(GUIDES[index - 1], 'prev', 'Before')}${turn(GUIDES[index + 1], 'next', 'Next')}</nav>`
}

/** The table of contents of a long page. */
const contents = ({ sections }: Rendered): string => {
  if (sections.length < CONTENTS_FROM) return ''
  const links = sections.map(({ anchor, title }) => `<li><a href="#${anchor}">${escapeHtml(title)}</a></li>`)
  return `<nav class="sections" aria-label="On this page"><p>On this page</p><ul>${links.join('')}</ul></nav>`
}

export const guidePage = (guide: Guide, anonymousPerMinute: number, rendered: Rendered): string =>
  page({
    title: guide.title,
    description: `${guide.title}: a guide to the self-hosted cross-chain swap service.`,
    head: `<link rel="stylesheet" href="%FILES%/theme.css">
<link rel="stylesheet" href="%FILES%/bar.css">
<link rel="stylesheet" href="%FILES%/guide.css">
<script type="module" src="%FILES%/guide.js"></script>`,
    body: `${bar(guide, anonymousPerMinute)}
<div class="columns">
<nav class="guides" aria-label="Guides">
<details><summary>Guides</summary>${list(guide)}</details>
<div class="wide">${list(guide)}</div>
</nav>
<main id="content" tabindex="-1">
${rendered.html}
${turns(guide)}
</main>
${contents(rendered)}
</div>`,
  })
