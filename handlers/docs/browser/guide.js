/**
 * A button beside each program that copies it. Browsers let pages copy where they are sure of who serves them (https, or
 * this machine); elsewhere there is none.
 */

const SAID_FOR_MS = 2_000

/** @param {HTMLElement} example */
const addButton = (example) => {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  const said = document.createElement('span')
  said.className = 'said'
  said.setAttribute('role', 'status')
  let timer = 0
  /** @param {string} text */
  const say = (text) => {
    button.textContent = text
    said.textContent = text
    clearTimeout(timer)
    timer = setTimeout(() => {
      button.textContent = 'Copy'
      said.textContent = ''
    }, SAID_FOR_MS)
  }
  button.addEventListener('click', () => {
    const code = example.querySelector('code')?.textContent ?? ''
    navigator.clipboard.writeText(code).then(
      () => say('Copied'),
      () => say('Not allowed'),
    )
  })
  example.append(button, said)
}

if (navigator.clipboard)
  for (const example of document.querySelectorAll('.example')) addButton(/** @type {HTMLElement} */ (example))
