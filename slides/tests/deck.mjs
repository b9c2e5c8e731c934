// What a deck is asked besides: nothing sticks out of its slide, its figures are there and large enough to read.

import { existsSync, readFileSync } from 'node:fs'
import { inflateSync } from 'node:zlib'
import { open, faultsOfLinks } from './browser.mjs'

export const least = 12
export const most = 25

// In the browser: the faults of one slide, in pixels of a slide 1280 wide. Content has to stay clear of the foot.
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
    for (const element of section.querySelectorAll('*')) {
      if (element.closest('footer, header, pre *, svg svg, mjx-container *')) continue
      const box = element.getBoundingClientRect()
      const name = `${element.tagName.toLowerCase()} "${element.textContent.trim().slice(0, 30)}"`
      for (const side of ['left', 'top'])
        if (box[side] < room[side] - 1) faults.push(`${name} sticks out at the ${side}`)
      for (const side of ['right', 'bottom'])
        if (box[side] > room[side] + 1)
          faults.push(`${name} sticks out at the ${side} by ${Math.round(box[side] - room[side])} px`)
      if (element.scrollWidth > element.clientWidth + 1 && element.clientWidth && element.tagName === 'PRE')
        faults.push(`${name}: its lines are ${element.scrollWidth - element.clientWidth} px too long`)
    }
  }
  if (slide.querySelector('.katex-error, mjx-merror, [data-mjx-error]')) faults.push('mathematics that is none')
  return [...new Set(faults)]
}

// A page of a PDF is an object, and objects may stand in compressed streams.
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
  if (slides < least || slides > most) faults.push(`${slides} slides; a deck has ${least} to ${most}`)
  for (let number = 1; number <= slides; number++) {
    await page.evaluate((hash) => { location.hash = hash }, `#${number}`)
    await page.waitForFunction((n) => document.querySelectorAll('svg[data-marpit-svg]')[n - 1].checkVisibility(), {}, number)
    for (const fault of await page.evaluate(measure, number)) faults.push(`slide ${number}: ${fault}`)
  }
  if (!(await page.$('svg[data-marpit-svg] :is(img, figure)'))) faults.push('has no figure')
  faults.push(...(await faultsOfLinks(sheet)))
  faults.push(...faultsOfPdf(path.replace(/html$/, 'pdf'), slides))
  await page.close()
  return faults.map((fault) => `${path}: ${fault}`)
}
