/** The longest target that is taken. */
const LENGTH_MAX = 2_048

/**
 * A webhook's target in its one spelling; null for what is none: another scheme than https, with credentials, or too long.
 * Where it leads is only known, and checked, when something is delivered there.
 */
export const parseWebhookUrl = (text: string): string | null => {
  const url = text.length > LENGTH_MAX ? null : URL.parse(text)
  if (url === null || url.protocol !== 'https:' || url.username !== '' || url.password !== '') return null
  url.hash = ''
  // The name servers know no difference, and certificates know no dot.
  url.hostname = url.hostname.replace(/\.$/, '')
  // In that spelling what is not ASCII is up to nine times as long.
  return url.href.length > LENGTH_MAX ? null : url.href
}
