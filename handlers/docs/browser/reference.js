/**
 * Draws the reference with Swagger UI's bundle, which the page loads before this module. Swagger UI ships no types.
 *
 * @typedef {any} Swagger
 */

/** Colours follow the reader's system. */
const dark = matchMedia('(prefers-color-scheme: dark)')
const applyScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', applyScheme)
applyScheme()

/** @param {string} selector @returns {HTMLElement & { value: string }} */
const find = (selector) => document.querySelector(selector) ?? document.createElement('input')
const [content, list, field, notice] = ['#content', '.find ul', '.find input', '.find p'].map(find)

/** @param {Swagger} React */
const ourParts = ({ React: { createElement } }) => ({
  wrapComponents: {
    // The bar leads to the document, whose one server is the origin of this page.
    InfoUrl: () => () => null,
    ServersContainer: () => () => null,
    // A link within a button that does the same.
    DeepLink:
      () =>
      (/** @type {Swagger} */ { text }) =>
        createElement('span', null, text),
    InfoContainer: (/** @type {Swagger} */ Original) => (/** @type {Swagger} */ props) =>
      createElement('section', { 'aria-label': 'Introduction' }, createElement(Original, props)),
    ExamplesSelect: (/** @type {Swagger} */ Original) => (/** @type {Swagger} */ props) =>
      createElement('label', null, createElement(Original, { ...props, showLabels: true })),
    SyntaxHighlighter: (/** @type {Swagger} */ Original) => (/** @type {Swagger} */ props) =>
      createElement(
        'div',
        { className: 'program', tabIndex: 0, role: 'group', 'aria-label': 'Example' },
        createElement(Original, props),
      ),
  },
})

/** Lists all operations beside the reference. */
const fillList = () => {
  for (const [tag, group] of ui.specSelectors.taggedOperations().entries()) {
    for (const one of group.get('operations')) {
      const [id, summary, description] = ['operationId', 'summary', 'description'].map((key) => one.getIn(['operation', key]))
      const link = document.createElement('a')
      link.href = `#/${encodeURIComponent(tag)}/${id}`
      link.textContent = summary
      const item = document.createElement('li')
      item.dataset['text'] = [one.get('path'), id, summary, description].join(' ').toLowerCase()
      item.append(link)
      list?.append(item)
    }
  }
}

const ui = /** @type {Swagger} */ (globalThis).SwaggerUIBundle({
  domNode: content,
  url: content?.dataset['document'],
  deepLinking: true,
  validatorUrl: null,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  syntaxHighlight: { theme: 'tomorrow-night' },
  plugins: [ourParts],
  onComplete: fillList,
})

/** Opens an operation and moves the focus to it. Swagger UI itself scrolls only to the address that the page is loaded with. */
addEventListener('hashchange', () => {
  const hash = decodeURIComponent(location.hash)
  ui.layoutActions.parseDeepLinkHash(hash)
  const place = document.getElementById(`operations${hash.slice(1).replaceAll('/', '-').replaceAll(' ', '_')}`)
  place?.scrollIntoView()
  place?.querySelector('button')?.focus({ preventScroll: true })
})

field?.addEventListener('input', () => {
  const items = [...(list?.querySelectorAll('li') ?? [])]
  for (const item of items) item.hidden = !item.dataset['text']?.includes(field.value.trim().toLowerCase())
  if (notice) notice.textContent = items.every(({ hidden }) => hidden) ? 'No operation matches.' : ''
})

addEventListener('keydown', (event) => {
  if (event.key !== 'k' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  field?.focus()
})
