import { createPageSet, type PageSet, packageFile } from '../../../engine/pages/pages.ts'

const HERE = new URL('./browser/', import.meta.url)
const SHARED = new URL('../../../engine/pages/browser/', import.meta.url)

const OWN = ['operator.js', 'operator.css', 'metrics.js', 'plots.js', 'sections.js']

/** The operator's page, on the port of the metrics: what it shows is what these tell. */
export const createOperatorPages = (): PageSet =>
  createPageSet({
    base: '',
    documents: { '/': new URL('./operator.html', import.meta.url) },
    files: {
      ...Object.fromEntries(OWN.map((name) => [name, new URL(name, HERE)])),
      'theme.css': new URL('theme.css', SHARED),
      'lit-html.js': packageFile('lit-html/lit-html.js'),
      'uPlot.js': packageFile('uplot/dist/uPlot.esm.js'),
      'uPlot.css': packageFile('uplot/dist/uPlot.min.css'),
    },
    policy: { 'style-src': ["'self'"], 'img-src': ["'self'", 'data:'], 'connect-src': ["'self'"] },
  })
