import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import subsetFont from 'subset-font'

// Writes the two fonts of the client: the letters its languages are written in, without hints for old screens.
// What is not among them is drawn in the system's font. Run by hand after a change here or a new font version.
const require = createRequire(import.meta.url)
const ascii = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('')
const signs = '\u00a0·…–—‘’“”«»×−±°'
const accents = 'ÅåÇçÉéÈèÊêÔôÖöÜüÄäÁáÍíÎîÓóÚúÑñÃãÕõ'
// Of the marks those that Persian is printed with; what is typed from an Arabic keyboard has its letters here too.
const persian = 'ءآأؤئابةتثجحخدذرزسشصضطظعغفقلمنهويىپچژکگیكۀ' + 'ًٔ' + 'ـ،؛؟٪٫٬' + '۰۱۲۳۴۵۶۷۸۹'
const invisible = '\u200b\u200c\u200d\u200e\u200f'

const fonts = {
  'roboto-regular': ['@fontsource/roboto/files/roboto-latin-400-normal.woff2', ascii + signs + accents],
  'vazir-medium': [
    '@fontsource/vazirmatn/files/vazirmatn-arabic-500-normal.woff2',
    // The source has one Latin letter, an A, which would stand out among those of the system's font.
    ` \u00a0${persian}${invisible}`,
  ],
}
for (const [name, [source, letters]] of Object.entries(fonts)) {
  const options = { targetFormat: 'woff2', noHinting: true }
  const font = await subsetFont(await readFile(require.resolve(source)), letters, options)
  await writeFile(join(import.meta.dirname, `${name}.woff2`), font)
  console.log(name, font.length)
}
