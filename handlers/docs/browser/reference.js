/**
 * Scalar's bundle, loaded before this, with the settings that make it ask nobody: no fonts, no telemetry, no proxy, and
 * none of the buttons that lead to services of others.
 *
 * @typedef {{ createApiReference(element: Element, options: object): void }} Scalar
 */

const element = document.querySelector('#content')
const scalar = /** @type {{ Scalar?: Scalar }} */ (globalThis).Scalar

if (element instanceof HTMLElement && scalar) {
  element.replaceChildren()
  scalar.createApiReference(element, {
    url: element.dataset['document'],
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    hideTestRequestButton: true,
    showDeveloperTools: 'never',
    documentDownloadType: 'none',
    proxyUrl: '',
  })
}

/** Its field for searching does not say that the list below it is there. */
addEventListener('focusin', ({ target }) => {
  if (target instanceof HTMLElement && target.matches('input[role=combobox]:not([aria-expanded])'))
    target.setAttribute('aria-expanded', 'true')
})
