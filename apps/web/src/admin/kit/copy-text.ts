/** To the clipboard; says whether the browser let it. Pages without HTTPS have the old way only. */
export async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard) {
    const isDone = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
    if (isDone) return true
  }
  const listen = (event: ClipboardEvent) => {
    event.preventDefault()
    event.clipboardData?.setData('text/plain', text)
  }
  document.addEventListener('copy', listen)
  try {
    return document.execCommand('copy')
  } finally {
    document.removeEventListener('copy', listen)
  }
}
