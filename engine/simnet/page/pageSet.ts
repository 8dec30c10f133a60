import { createPageSet, type PageSet } from '../../pages/pages.ts'

const pages = createPageSet({
  base: '',
  documents: { '/': async () => '<!doctype html><title>Offline network</title>' },
  files: {},
  policy: {},
})

export const offlinePages = (): PageSet => pages
