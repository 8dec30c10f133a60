/** Whoever takes some other place for that of his key must not have it written down. */
export const hideKeys = (text: string): string => text.replaceAll(/(swk_|swe_|whsec_)[\w-]+/g, '$1…')
