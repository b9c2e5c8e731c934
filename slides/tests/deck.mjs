// The checks of a deck that other pages do not need. No content may extend beyond its slide, no slide may be half empty, and
// figures must exist. Letters must be large and have enough contrast, and no picture may consist of characters. Each slide
// must have notes for the presenter, and a telephone must show the deck.

import { existsSync, readFileSync } from 'node:fs'
import { inflateSync } from 'node:zlib'
import { open, faultsOfLinks } from './browser.mjs'

export const least = 12
export const most = 25

// Functions that run in the browser before `measure`: they check the letters of a slide and of its figures.
const reading = `
  // The smallest letters in pixels of a slide 1280 wide, the contrast of WCAG level AA, the used part of the slide's height.
  const smallest = 18, contrast = 4.5, used = 0.62
  const channels = (colour) => (colour.match(/[\\d.]+/g) ?? [0, 0, 0]).map(Number)
  const luminance = (colour) => channels(colour).slice(0, 3).reduce((sum, c, i) =>
    sum + [0.2126, 0.7152, 0.0722][i] * (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4), 0)
  const against = (a, b) => {
    const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y)
    return (high + 0.05) / (low + 0.05)
  }
  const seen = (colour) => colour && colour !== 'none' && (channels(colour)[3] ?? 1) > 0
  const background = (element) => {
    for (let e = element; e; e = e.parentElement) if (seen(getComputedStyle(e).backgroundColor)) return getComputedStyle(e).backgroundColor
    return 'rgb(255, 255, 255)'
  }
  const scale = (m) => Math.sqrt(Math.abs(m.a * m.d - m.b * m.c))
  const say = (text) => '"' + text.trim().replace(/\\s+/g, ' ').slice(0, 30) + '"'
  // Checks the text of a figure in the size that the slide shows. The background of a text is the last shape that was painted
  // under its middle.
  function faultsOfLetters(svg, shown, name) {
    const faults = []
    let least = Infinity, small = ''
    const box = document.createElement('div')
    box.style.cssText = 'position:fixed;left:0;top:0;z-index:99999;background:#fff'
    box.innerHTML = svg.slice(svg.indexOf('<svg'))
    document.body.append(box)
    for (const text of box.querySelectorAll('text')) {
      if (!text.textContent.trim()) continue
      const size = parseFloat(getComputedStyle(text).fontSize) * scale(text.getCTM()) * shown
      if (size < smallest - 0.5 && size < least) [least, small] = [size, text.textContent]
      // A <use> element gets the colour of the element that it shows, if that element has one.
      const fill = (e) => {
        const used = e.tagName === 'use' && box.querySelector(e.getAttribute('href'))
        return getComputedStyle((used && (used.querySelector('[fill]') ?? (used.hasAttribute('fill') && used))) || e).fill
      }
      const place = text.getBoundingClientRect()
      const below = document.elementsFromPoint(place.x + place.width / 2, place.y + place.height / 2)
        .find((e) => box.contains(e) && !e.closest('text') && e.tagName !== 'svg' && seen(fill(e)))
      const ratio = against(getComputedStyle(text).fill, below ? fill(below) : 'rgb(255, 255, 255)')
      if (ratio < contrast) faults.push(name + ': ' + say(text.textContent) + ' hardly stands out: ' + ratio.toFixed(1))
    }
    box.remove()
    if (small) faults.push(name + ': ' + say(small) + ' is ' + least.toFixed(0) + ' px high')
    return [...new Set(faults)]
  }
`

// Runs in the browser. Returns the faults of one slide, which is 1280 pixels wide. Content must not reach into the footer.
async function measure(number) {
  const slide = document.querySelectorAll('svg[data-marpit-svg]')[number - 1]
  const faults = []
  const pictures = [...slide.querySelectorAll('img')].map((img) => [img, img.src, img.alt])
  for (const figure of slide.querySelectorAll('figure')) {
    const url = /url\("(.*)"\)/.exec(figure.style.backgroundImage)?.[1]
    pictures.push([figure, url ?? '', figure.textContent])
  }
  for (const [element, src, alt] of pictures) {
    const name = alt ? `figure "${alt.slice(0, 40)}"` : 'a figure'
    if (!alt.trim()) faults.push(`${name} has no words for those who cannot see it`)
    if (!src.startsWith('data:')) faults.push(`${name} is not inside the file`)
    const image = Object.assign(new Image(), { src })
    const good = await image.decode().then(() => true, () => false)
    if (!good || !image.naturalWidth) {
      faults.push(`${name} does not load`)
      continue
    }
    const { width, height } = element.getBoundingClientRect()
    const shown = Math.min(width / image.naturalWidth, height / image.naturalHeight)
    if (src.startsWith('data:image/svg')) faults.push(...faultsOfLetters(await (await fetch(src)).text(), shown, name))
    if (shown * image.naturalHeight * shown * image.naturalWidth < 1280 * 720 * 0.1)
      faults.push(`${name} takes less than a tenth of the slide`)
  }
  for (const section of slide.querySelectorAll('section')) {
    const whole = section.getBoundingClientRect()
    const style = getComputedStyle(section)
    const room = {
      left: whole.left,
      top: whole.top,
      right: whole.right - parseFloat(style.paddingRight) / 2,
      bottom: whole.bottom - parseFloat(style.paddingBottom),
    }
    if (section.dataset.marpitAdvancedBackground && section.dataset.marpitAdvancedBackground !== 'content') continue
    let lowest = 0
    for (const element of section.querySelectorAll('*')) {
      if (element.closest('footer, header, pre *, svg svg, mjx-container *')) continue
      const box = element.getBoundingClientRect()
      const name = `${element.tagName.toLowerCase()} ${say(element.textContent)}`
      for (const side of ['left', 'top'])
        if (box[side] < room[side] - 1) faults.push(`${name} sticks out at the ${side}`)
      for (const side of ['right', 'bottom'])
        if (box[side] > room[side] + 1)
          faults.push(`${name} sticks out at the ${side} by ${Math.round(box[side] - room[side])} px`)
      if (element.scrollWidth > element.clientWidth + 1 && element.clientWidth && element.tagName === 'PRE')
        faults.push(`${name}: its lines are ${element.scrollWidth - element.clientWidth} px too long`)
      lowest = Math.max(lowest, box.bottom - whole.top)
      if (element.tagName === 'PRE' && /\+--|--\+|<--|-->|\|  +\|/.test(element.textContent))
        faults.push(`${name} is drawn with characters`)
      if (![...element.childNodes].some((child) => child.nodeType === 3 && child.data.trim())) continue
      const letters = getComputedStyle(element), size = parseFloat(letters.fontSize)
      if (size < smallest) faults.push(`${name} is ${size} px high`)
      const ratio = against(letters.color, background(element))
      if (ratio < contrast) faults.push(`${name} hardly stands out: ${ratio.toFixed(1)}`)
    }
    if (lowest < used * 720 && !/title|question/.test(section.className))
      faults.push(`ends at ${Math.round(lowest / 7.2)} % of its height`)
  }
  if (slide.querySelector('.katex-error, mjx-merror, [data-mjx-error]')) faults.push('mathematics that is none')
  return [...new Set(faults)]
}

// On the screen of a telephone, the whole width of a slide must be visible, and buttons must be large enough for a finger. With a
// dark colour scheme the colours must not change, because only those of the light scheme are measured.
async function faultsOfOtherScreens(page, slides) {
  const colours = () => page.evaluate(() => [...document.querySelectorAll('svg[data-marpit-svg] *')].map((element) => {
    const { color, backgroundColor, fill, filter } = getComputedStyle(element)
    return [color, backgroundColor, fill, filter].join()
  }))
  const light = await colours()
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }])
  const dark = await colours()
  const faults = dark.every((colour, i) => colour === light[i]) ? [] : ['has other colours in the dark, which nobody measures']
  await page.setViewport({ width: 390, height: 844 })
  await page.evaluate((hash) => { location.hash = hash }, `#${slides}`)
  return [...faults, ...(await page.evaluate((number) => {
    const found = []
    const box = document.querySelectorAll('svg[data-marpit-svg]')[number - 1].querySelector('section').getBoundingClientRect()
    if (box.left < -1 || box.right > 391 || box.top < -1 || box.bottom > 845 || document.documentElement.scrollWidth > 390) found.push('sticks out at 390 px')
    if (box.width < 380) found.push(`is ${Math.round(box.width)} px wide of 390`)
    const buttons = [...document.querySelectorAll('button')].filter((button) => button.checkVisibility()).map((button) => button.getBoundingClientRect())
    if (buttons.filter(({ width, height }) => width >= 24 && height >= 24).length < 2) found.push('has no buttons at 390 px that a finger hits')
    return found
  }, slides))]
}

// Counts the page objects of a PDF file. They may be inside of compressed object streams.
function countPages(bytes) {
  const text = bytes.toString('latin1')
  let all = text
  for (const stream of text.matchAll(/\/Type \/ObjStm[^]*?stream\r?\n/g))
    all += inflateSync(bytes.subarray(stream.index + stream[0].length)).toString('latin1')
  return all.match(/\/Type\s*\/Page\b/g)?.length ?? 0
}

function faultsOfPdf(path, slides) {
  if (!existsSync(path)) return ['has no PDF beside it']
  const pages = countPages(readFileSync(path))
  return pages === slides ? [] : [`its PDF has ${pages} pages for ${slides} slides`]
}

export async function faultsOfDeck(browser, path) {
  const sheet = await open(browser, path)
  const { page, faults } = sheet
  const slides = (await page.$$('svg[data-marpit-svg]')).length
  await page.evaluate(reading.replace(/^  (const|function) /gm, '  var $1 ').replace(/var const/g, 'var').replace(/var function/g, 'function'))
  const notes = await page.$$eval('.bespoke-marp-note', (all) => all.filter((note) => note.textContent.trim()).map((note) => +note.dataset.index))
  for (let number = 1; number <= slides; number++)
    if (!notes.includes(number - 1)) faults.push(`slide ${number}: has no notes for the presenter`)
  if (slides < least || slides > most) faults.push(`${slides} slides; a deck has ${least} to ${most}`)
  for (let number = 1; number <= slides; number++) {
    await page.evaluate((hash) => { location.hash = hash }, `#${number}`)
    await page.waitForFunction((n) => document.querySelectorAll('svg[data-marpit-svg]')[n - 1].checkVisibility(), {}, number)
    for (const fault of await page.evaluate(measure, number)) faults.push(`slide ${number}: ${fault}`)
  }
  if (!(await page.$('svg[data-marpit-svg] :is(img, figure)'))) faults.push('has no figure')
  faults.push(...(await faultsOfLinks(sheet)))
  faults.push(...(await faultsOfOtherScreens(page, slides)))
  faults.push(...faultsOfPdf(path.replace(/html$/, 'pdf'), slides))
  await page.close()
  return faults.map((fault) => `${path}: ${fault}`)
}
