import type { HostHealth, Language, System } from '@kelid/contract'

export type TimeUnit = 'minute' | 'hour' | 'day'

interface Writing {
  locale: string
  /** The page does not know the reader's zone, so each language has a default. */
  timeZone: string
  exactTime: (day: string, time: string) => string
  /** "in 3 days", or with a negative amount "3 days ago". */
  fromNow: (amount: number, unit: TimeUnit) => string
  unitDisplay: 'short' | 'long'
}

const english: Writing = {
  locale: 'en-GB',
  timeZone: 'UTC',
  exactTime: (day, time) => `${day}, ${time} UTC`,
  fromNow: (amount, unit) => new Intl.RelativeTimeFormat('en', { numeric: 'always' }).format(amount, unit),
  unitDisplay: 'short',
}

const persianUnits: Record<TimeUnit, string> = { minute: 'دقیقه', hour: 'ساعت', day: 'روز' }
const persianLocale = 'fa-IR-u-ca-persian-nu-arabext'

const persian: Writing = {
  locale: persianLocale,
  timeZone: 'Asia/Tehran',
  exactTime: (day, time) => `${day}، ساعت ${time} به وقت تهران`,
  /** Intl would say «۳ روز بعد» ("3 days later"). */
  fromNow: (amount, unit) => {
    const number = new Intl.NumberFormat(persianLocale).format(Math.abs(amount))
    return `${number} ${persianUnits[unit]} ${amount > 0 ? 'دیگر' : 'پیش'}`
  },
  unitDisplay: 'long',
}

type Steps = Readonly<Record<System, readonly string[]>>
type Healths = Readonly<Record<HostHealth, string>>

const en = {
  writing: english,
  states: {
    active: 'Active',
    limited: 'Data used up',
    expired: 'Expired',
    disabled: 'Switched off',
    abused: 'Blocked',
  },
  reasons: {
    limited: 'The data of this subscription is used up. To go on using it, ask for more.',
    expired: 'This subscription has run out. To go on using it, ask for a renewal.',
    disabled: 'This subscription has been switched off by your provider.',
    abused: 'This subscription was blocked because it was used on more devices at once than it allows.',
  },
  notices: {
    limited: 'Data used up: ask for more',
    expired: 'Expired: ask for a renewal',
    disabled: 'Switched off by your provider',
    abused: 'Blocked: used on too many devices',
  },
  otherApps: (names: string) => `This app cannot connect here. Use one of: ${names}`,
  afterwards: 'Once it is active again, the same link works as before; nothing needs to be set up again.',
  expires: 'Expires',
  expired: 'Expired',
  used: 'Data used',
  speed: 'Speed',
  atMost: (speed: string) => `At most ${speed} Mbit/s at each server, for download and upload each.`,
  support: 'Support',
  askSeller: 'Please contact the person who gave you this link.',
  devices: 'Devices online now',
  devicesNote: 'Devices in one network count as one.',
  comma: ', ',
  server: 'Server',
  servers: 'Servers',
  healths: { up: 'Working', down: 'Not working now', unknown: 'Not checked' } as Healths,
  chooseWorking: 'In the app, choose a server that works.',
  addTitle: 'Add to your app',
  steps: {
    android: [
      'Install one of these apps. Below them is written where to find it, and under which name.',
      'Come back here and press its button.',
      'In the app press connect, and press OK when Android asks about a VPN connection.',
    ],
    ios: [
      'Install one of these apps. Below them are their names in the App Store.',
      'Come back here, press its button, and open the app when you are asked.',
      'In the app press connect, allow the VPN configuration, and enter the code of your device.',
    ],
    windows: [
      'Download one of these apps from the page named below, install it, and open it once.',
      'Come back here, press its button, and allow the browser to open the app.',
      'In the app switch on the system proxy or TUN, and press connect. For TUN, start it as administrator.',
    ],
    macos: [
      'Install one of these apps from the place named below, and open it once.',
      'Come back here, press its button, and allow the browser to open the app.',
      'In the app press connect, and allow the VPN configuration with the password of your Mac.',
    ],
    linux: [
      'Download the package of one of these apps for your distribution, install it, and open it once.',
      'Come back here and press its button. If nothing opens, paste the subscription address into the app.',
      'In the app switch on the system proxy or TUN, and press connect. TUN asks for your password.',
    ],
  } as Steps,
  paste: 'Paste the subscription address, which is below, into these:',
  systems: { android: 'Android', ios: 'iPhone and iPad', windows: 'Windows', macos: 'macOS', linux: 'Linux' },
  notFor: 'These apps cannot use this subscription:',
  notThere: 'Does not work with:',
  scanTitle: 'Scan with another device',
  scanHint: 'Open the VPN app there, choose “scan QR code” and point the camera here.',
  enlarge: 'Enlarge the code',
  shrink: 'Close',
  pinned:
    'Better use a button or the subscription address: some apps do not accept the certificate of this server from a code or a link.',
  linkTitle: 'Connection link',
  linkHint: 'For any other app: press the link to select it, copy it, and paste it into the app.',
  addressTitle: 'Subscription address',
  addressHint: 'Apps that take a subscription address follow server changes by themselves.',
  missingTitle: 'This link leads nowhere',
  missing:
    'It may have been replaced by a new one, or a part of it was lost on the way. Ask for your current link.',
  keepPrivate: 'Keep this page to yourself: anyone who has the link can use your subscription.',
}

export type Words = typeof en

const fa: Words = {
  writing: persian,
  states: {
    active: 'فعال',
    limited: 'حجم تمام‌شده',
    expired: 'منقضی‌شده',
    disabled: 'غیرفعال',
    abused: 'مسدود',
  },
  reasons: {
    limited: 'حجم این اشتراک تمام شده است. برای ادامه‌ی استفاده، درخواست حجم بیشتر بدهید.',
    expired: 'اعتبار این اشتراک تمام شده است. برای ادامه‌ی استفاده، درخواست تمدید بدهید.',
    disabled: 'این اشتراک از سوی ارائه‌دهنده غیرفعال شده است.',
    abused: 'این اشتراک مسدود شده است، چون هم‌زمان روی بیش از تعداد مجاز دستگاه به کار رفته است.',
  },
  notices: {
    limited: 'حجم تمام شده؛ درخواست حجم بیشتر بدهید',
    expired: 'اعتبار تمام شده؛ درخواست تمدید بدهید',
    disabled: 'از سوی ارائه‌دهنده غیرفعال شده است',
    abused: 'مسدود شده؛ دستگاه‌ها بیش از حد مجازند',
  },
  otherApps: (names: string) => `این برنامه نمی‌تواند وصل شود. یکی از این‌ها را به کار ببرید: ${names}`,
  afterwards: 'وقتی دوباره فعال شود، همین لینک مثل قبل کار می‌کند و لازم نیست چیزی را از نو تنظیم کنید.',
  expires: 'پایان اعتبار',
  expired: 'پایان اعتبار',
  used: 'حجم مصرف‌شده',
  speed: 'سرعت',
  atMost: (speed) => `حداکثر ${speed} مگابیت بر ثانیه در هر سرور، برای دانلود و آپلود جداگانه.`,
  support: 'پشتیبانی',
  askSeller: 'لطفاً با کسی که این لینک را به شما داده است تماس بگیرید.',
  devices: 'دستگاه‌های آنلاین',
  devicesNote: 'دستگاه‌های یک شبکه یکی شمرده می‌شوند.',
  comma: '، ',
  server: 'سرور',
  servers: 'سرورها',
  healths: { up: 'کار می‌کند', down: 'فعلاً کار نمی‌کند', unknown: 'بررسی نشده' },
  chooseWorking: 'در برنامه سروری را انتخاب کنید که کار می‌کند.',
  addTitle: 'افزودن به برنامه',
  steps: {
    android: [
      'یکی از این برنامه‌ها را نصب کنید؛ زیر آن‌ها نوشته شده کجا و با چه نامی پیدا می‌شوند.',
      'به همین صفحه برگردید و دکمه‌ی آن را بزنید.',
      'در برنامه اتصال را بزنید و وقتی اندروید درباره‌ی اتصال VPN پرسید، تأیید کنید.',
    ],
    ios: [
      'یکی از این برنامه‌ها را نصب کنید؛ زیر آن‌ها نامشان در App Store نوشته شده است.',
      'به همین صفحه برگردید، دکمه‌ی آن را بزنید و اجازه دهید برنامه باز شود.',
      'در برنامه اتصال را بزنید، پیکربندی VPN را مجاز کنید و رمز دستگاهتان را وارد کنید.',
    ],
    windows: [
      'یکی از این برنامه‌ها را از جایی که زیر آن‌ها نوشته شده دانلود و نصب کنید و یک بار باز کنید.',
      'به همین صفحه برگردید، دکمه‌ی آن را بزنید و به مرورگر اجازه دهید برنامه را باز کند.',
      'در برنامه پروکسی سیستم یا TUN را روشن کنید و اتصال را بزنید. برای TUN، برنامه را با دسترسی مدیر (administrator) اجرا کنید.',
    ],
    macos: [
      'یکی از این برنامه‌ها را از جایی که زیر آن‌ها نوشته شده نصب کنید و یک بار باز کنید.',
      'به همین صفحه برگردید، دکمه‌ی آن را بزنید و به مرورگر اجازه دهید برنامه را باز کند.',
      'در برنامه اتصال را بزنید و پیکربندی VPN را با رمز مک مجاز کنید.',
    ],
    linux: [
      'بسته‌ی یکی از این برنامه‌ها را برای توزیع خودتان دانلود و نصب کنید و یک بار باز کنید.',
      'به همین صفحه برگردید و دکمه‌ی آن را بزنید. اگر چیزی باز نشد، نشانی اشتراک را در برنامه بچسبانید.',
      'در برنامه پروکسی سیستم یا TUN را روشن کنید و اتصال را بزنید. TUN رمز شما را می‌پرسد.',
    ],
  },
  paste: 'برای این‌ها، نشانی اشتراک را که پایین‌تر آمده است در برنامه بچسبانید:',
  systems: { android: 'اندروید', ios: 'آیفون و آیپد', windows: 'ویندوز', macos: 'مک', linux: 'لینوکس' },
  notFor: 'این برنامه‌ها نمی‌توانند از این اشتراک استفاده کنند:',
  notThere: 'با این برنامه‌ها کار نمی‌کند:',
  scanTitle: 'اسکن با دستگاه دیگر',
  scanHint: 'در آن دستگاه برنامه‌ی VPN را باز کنید، گزینه‌ی اسکن QR را بزنید و دوربین را روی این کد بگیرید.',
  enlarge: 'بزرگ‌نمایی کد',
  shrink: 'بستن',
  pinned:
    'بهتر است از دکمه‌ها یا نشانی اشتراک استفاده کنید؛ بعضی برنامه‌ها گواهی این سرور را از روی کد یا لینک نمی‌پذیرند.',
  linkTitle: 'لینک اتصال',
  linkHint: 'برای برنامه‌های دیگر: روی لینک بزنید تا انتخاب شود، آن را کپی کنید و در برنامه بچسبانید.',
  addressTitle: 'نشانی اشتراک',
  addressHint: 'برنامه‌هایی که نشانی اشتراک می‌گیرند، با تغییر سرورها خودشان به‌روز می‌شوند.',
  missingTitle: 'این لینک به جایی نمی‌رسد',
  missing: 'شاید لینک تازه‌ای جای آن را گرفته یا بخشی از آن جا افتاده باشد. لینک فعلی‌تان را دوباره بخواهید.',
  keepPrivate: 'این صفحه را به کسی ندهید؛ هر کس لینک را داشته باشد از اشتراک شما استفاده می‌کند.',
}

export const wordsOf: Record<Language, Words> = { en, fa }
