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

/** @param {Swagger} operation @param {string} tag */
const hashOf = (operation, tag) => `#/${encodeURIComponent(tag)}/${operation.getIn(['operation', 'operationId'])}`

/**
 * Opens an operation and moves the focus to it. Swagger UI itself scrolls only to the address that the page is loaded with.
 * @param {Swagger} ui
 */
const show = (ui) => {
  const hash = decodeURIComponent(location.hash)
  ui.layoutActions.parseDeepLinkHash(hash)
  const place = document.getElementById(`operations${hash.slice(1).replaceAll('/', '-').replaceAll(' ', '_')}`)
  place?.scrollIntoView()
  place?.querySelector('button')?.focus({ preventScroll: true })
}

/** A list of all operations, and a field that reduces it to those with a phrase in their path, name or text. @param {Swagger} system */
const createFinder = ({ React }) => {
  const { createElement, useState } = React
  /** @param {{ specSelectors: Swagger }} props */
  return ({ specSelectors }) => {
    const [phrase, setPhrase] = useState('')
    /** @param {Swagger} operation */
    const matches = (operation) =>
      [operation.get('path'), ...['summary', 'description', 'operationId'].map((key) => operation.getIn(['operation', key]))]
        .join(' ')
        .toLowerCase()
        .includes(phrase.trim().toLowerCase())
    /** @param {Swagger} operation @param {string} tag */
    const link = (operation, tag) =>
      createElement(
        'li',
        { key: operation.get('id') },
        createElement(
          'a',
          { href: hashOf(operation, tag) },
          createElement('span', null, operation.getIn(['operation', 'summary'])),
          createElement('b', { className: operation.get('method') }, operation.get('method').toUpperCase()),
        ),
      )
    const groups = specSelectors
      .taggedOperations()
      .map((/** @type {Swagger} */ group) => group.get('operations').filter(matches))
      .filter((/** @type {Swagger} */ operations) => operations.size > 0)
    return createElement(
      'nav',
      { className: phrase === '' ? 'find' : 'find finding', 'aria-label': 'Operations' },
      createElement('input', {
        type: 'search',
        placeholder: 'Find an operation (Ctrl+K)',
        'aria-label': 'Find an operation',
        'aria-keyshortcuts': 'Control+K',
        value: phrase,
        onChange: (/** @type {Swagger} */ { target }) => setPhrase(target.value),
      }),
      groups.size === 0 && createElement('p', { role: 'status' }, 'No operation matches.'),
      groups.entrySeq().map((/** @type {[string, Swagger]} */ [tag, operations]) =>
        createElement(
          'div',
          { key: tag },
          createElement('p', null, tag),
          createElement(
            'ul',
            null,
            operations.map((/** @type {Swagger} */ one) => link(one, tag)),
          ),
        ),
      ),
    )
  }
}

/** @param {Swagger} system */
const ourParts = (system) => {
  const { createElement } = system.React
  return {
    wrapComponents: {
      FilterContainer: () => createFinder(system),
      // The bar leads to the document, whose one server is the origin of this page.
      InfoUrl: () => () => null,
      ServersContainer: () => () => null,
      // A link within a button, which does what the button does.
      DeepLink:
        () =>
        (/** @type {{ text: string }} */ { text }) =>
          createElement('span', null, text),
      ExamplesSelect: (/** @type {Swagger} */ Original) => (/** @type {object} */ props) =>
        createElement('label', null, createElement(Original, { ...props, showLabels: true })),
      SyntaxHighlighter: (/** @type {Swagger} */ Original) => (/** @type {object} */ props) =>
        createElement(
          'div',
          { className: 'program', tabIndex: 0, role: 'region', 'aria-label': 'Example' },
          createElement(Original, props),
        ),
    },
  }
}

const element = document.querySelector('#content')
const { SwaggerUIBundle } = /** @type {Swagger} */ (globalThis)
if (element instanceof HTMLElement && SwaggerUIBundle) {
  const ui = SwaggerUIBundle({
    domNode: element,
    url: element.dataset['document'],
    deepLinking: true,
    validatorUrl: null,
    displayRequestDuration: true,
    defaultModelsExpandDepth: 0,
    syntaxHighlight: { theme: 'tomorrow-night' },
    plugins: [ourParts],
  })
  addEventListener('hashchange', () => show(ui))
}

addEventListener('keydown', (event) => {
  const field = document.querySelector('.find input')
  if (event.key !== 'k' || !(event.ctrlKey || event.metaKey) || !(field instanceof HTMLElement)) return
  event.preventDefault()
  field.focus()
})
