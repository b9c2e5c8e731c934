// Tests the page of `make step02` in a browser: node slides/tests/step.mjs STEPPER (right|wrong SOURCE PROGRAM)...
// The test uses only the keyboard. Moving forward and back must give the same state, at 1280 and 390 px, in light and dark mode.
// The page must show that the result of a right program is correct and that of a wrong program is not. Text must be readable and
// fit the window. axe must find no fault on this page and on the page of the race search. The page may send requests only to the
// program that serves it.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { tested, open } from './browser.mjs'
import { faultsOfStructure, faultsOfLook } from './page.mjs'

const build = process.env.BUILD ?? 'build'
const axe = readFileSync(createRequire(resolve(build, 'slides/package.json')).resolve('axe-core/axe.min.js'), 'utf8')
const arguments_ = ['--repeats', '1', '--variant', 'shared', '--m', '32', '--k', '64', '--n', '32']

// ---- a program that serves ---------------------------------------------------------------------
async function serve(stepper, source, program) {
  const child = spawn(stepper, ['--source', source, '--gold', '--no-browser', program, ...arguments_], { stdio: ['ignore', 'pipe', 'inherit'] })
  process.on('exit', () => child.kill()) // also ends the server if the test throws
  let said = ''
  for await (const part of child.stdout) {
    said += part
    const address = said.match(/http:\/\/\S+/)
    if (address) return { child, address: address[0] }
  }
  throw new Error(`${program}: no address`)
}

async function end(child) {
  const ended = once(child, 'exit')
  child.kill('SIGINT')
  const [status] = await ended
  return status === 0 ? [] : [`status ${status} at ctrl-C`]
}

// ---- what the page shows -----------------------------------------------------------------------
const ready = (page) => page.waitForFunction(() => document.querySelector('main').getAttribute('aria-busy') === 'false' && document.querySelector('#warp-list input'))

async function press(page, ...keys) {
  for (const key of keys) {
    await page.keyboard.press(key)
    await ready(page)
  }
}

const said = (page) => page.$eval('#said', (at) => at.textContent)

// Returns everything on the page that a step may change, except the sentence about the step.
const state = (page) =>
  page.evaluate(() =>
    JSON.stringify([
      [...document.querySelectorAll('.warp')].map((row) => [row.querySelector('input').getAttribute('aria-label'), row.querySelector('input').checked]),
      [...document.querySelectorAll('.code li')].map((row) => [row.getAttribute('aria-current'), row.querySelector('.marks').textContent]),
      [...document.querySelectorAll('.memory-table td')].map((cell) => cell.textContent + cell.className),
      document.querySelector('#next').textContent,
    ]),
  )

// ---- forward and back --------------------------------------------------------------------------
const walk = ['ArrowRight', 'n', 'ArrowRight', 'a', 'a', '3', 'a', 'a', 'ArrowDown', 'ArrowRight', 'a', 'a', 'b', '7', 'a', 'a', 'ArrowUp', 'a', 'ArrowRight']
const isMove = (key) => !/^\d$|ArrowUp|ArrowDown/.test(key)

// Returns true if the button for this key is disabled, because the chosen warp waits or has ended.
const cannot = (page, key) => page.$eval(key === 'b' ? '#barrier' : '#line', (button) => button.getAttribute('aria-disabled') === 'true')

// Presses the keys of `walk`. Returns the state before each possible move, and the last state.
async function walkOnce(page) {
  const states = []
  for (const key of walk) {
    if (isMove(key) && (await cannot(page, key))) continue
    if (isMove(key)) states.push(await state(page))
    await press(page, key)
  }
  return [...states, await state(page)]
}

async function faultsOfWalk(page) {
  const faults = []
  await press(page, 'Home')
  const forth = await walkOnce(page)
  if (new Set(forth).size !== forth.length) faults.push('a move changes nothing')
  for (let i = forth.length - 1; i > 0; i--) {
    await press(page, 'ArrowLeft')
    if ((await state(page)) !== forth[i - 1]) return [...faults, `back to move ${i}: another state`]
  }
  await press(page, 'ArrowLeft')
  if ((await said(page)) !== 'This is the beginning.') faults.push(`before the first move: ${await said(page)}`)
  await press(page, 'Home')
  const again = await walkOnce(page)
  if (again.join() !== forth.join()) faults.push('forward again: other states')
  return faults
}

// ---- to a line, to a word, to the end ----------------------------------------------------------
async function faultsOfLine(page) {
  await press(page, 'Home', 'a', 'r')
  const from = await page.evaluate(() => Number(document.activeElement.closest('#code button')?.textContent))
  if (!from) return ['r does not lead to the line numbers']
  await press(page, 'ArrowDown')
  const target = await page.evaluate(() => Number(document.activeElement.textContent))
  if (target !== from + 1) return [`the next line of ${from} is ${target}`]
  await press(page, 'ArrowUp', 'Enter')
  const told = await said(page)
  await press(page, 'Escape')
  return new RegExp(`Warp 0 (is before|does not come to) line ${from}`).test(told) ? [] : [`to line ${from}: ${told}`]
}

// Uses the tab key to reach a table, and the arrow keys to reach a word that the last warp has stored.
async function faultsOfWord(page) {
  await press(page, 'Home', '2', 'a', 'a')
  await page.focus('#access')
  for (let pressed = 0; pressed < 60; pressed++) {
    await page.keyboard.press('Tab')
    const place = await page.evaluate(() => ({ cell: document.activeElement.matches('td'), ring: getComputedStyle(document.activeElement).outlineStyle !== 'none' || document.activeElement.matches('input[type=radio]') }))
    if (!place.ring) return ['something has the focus and does not show it']
    if (!place.cell) continue
    await press(page, 'ArrowDown', 'ArrowDown', 'ArrowRight')
    const told = await page.$eval('#word', (at) => at.textContent)
    await press(page, 'Escape')
    return /^As\[2\]\[1\] = .*, stored by warp 2, lane 1 \(thread 1,2,0\) at line \d+/.test(told) ? [] : [`a word: ${told}`]
  }
  return ['Tab leads to no table']
}

async function faultsOfEnd(page, right) {
  await press(page, 'Home', '5', 'a', 'a')
  for (let i = 0; i < 8; i++) await press(page, 'b')
  const told = await said(page)
  if (!told.startsWith('The block has ended.')) return [`the end: ${told}`]
  const marked = await page.$$eval('td.wrong', (all) => all.length)
  if (right) return /All numbers of C .* are right/.test(told) && !marked ? [] : [`a right program: ${told}, ${marked} words marked`]
  return /numbers? of C (is|are) wrong: C\[\d+\]\[\d+\] is /.test(told) && marked ? [] : [`a wrong program: ${told}, ${marked} words marked`]
}

// ---- accessibility -----------------------------------------------------------------------------
async function faultsOfAxe(page) {
  await page.evaluate(axe)
  const found = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }))
  return found.violations.map(({ id, nodes }) => `axe: ${id}: ${nodes.length} times, ${nodes[0].html.slice(0, 100)}`)
}

// Checks that axe works: it must report a picture without a text alternative.
async function unseenByAxe(page) {
  await page.evaluate(() => document.querySelector('main').append(Object.assign(new Image(), { id: 'broken' })))
  const seen = (await faultsOfAxe(page)).some((fault) => fault.includes('image-alt'))
  await page.evaluate(() => document.getElementById('broken').remove())
  return seen ? [] : ['axe sees no picture without words']
}

async function faultsOfRacePage(browser, address) {
  const sheet = await open(browser, address)
  const { page, faults } = sheet
  await page.goto(`${address}race`, { waitUntil: 'load' })
  for (const scheme of ['light', 'dark']) {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
    faults.push(...(await faultsOfAxe(page)))
  }
  await page.close()
  return faults.map((fault) => `race: ${fault}`)
}

// The button must show the panels of the race search below.
async function faultsOfButton(page) {
  await page.focus('#look')
  await page.keyboard.press('Enter')
  await page.waitForSelector('iframe')
  const frame = await (await page.$('iframe')).contentFrame()
  await frame.waitForSelector('h1')
  const words = await frame.$eval('main', (at) => at.textContent)
  return /comes out as|No race/.test(words) ? [] : [`the panels: ${words.slice(0, 100)}`]
}

// The page must draw a timeline for a right kernel only: a wrong kernel has no predicted time.
async function faultsOfTimeline(page, right) {
  await page.focus('#draw')
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => /not measured|no predicted time/.test(document.getElementById('drawn').textContent))
  return ((await page.$('#timeline svg rect')) !== null) === right ? [] : [right ? 'no timeline' : 'a timeline of a wrong kernel']
}

// ---- a page ------------------------------------------------------------------------------------
async function faultsOfProgram(browser, [stepper, kind, source, program]) {
  const { child, address } = await serve(stepper, source, program)
  const sheet = await open(browser, address)
  const { page, faults } = sheet
  const say = (where, list) => faults.push(...list.map((fault) => `${where}${fault}`))
  await ready(page)
  for (const [width, scheme] of [[1280, 'light'], [390, 'dark']]) {
    const where = `${width} px, ${scheme}: `
    await page.setViewport({ width, height: 800 })
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }, { name: 'prefers-reduced-motion', value: 'reduce' }])
    say(where, await faultsOfWalk(page))
    say(where, await faultsOfLine(page))
    say(where, await faultsOfWord(page))
    say(where, await faultsOfEnd(page, kind === 'right'))
    say(where, await faultsOfAxe(page))
  }
  say('', await unseenByAxe(page))
  say('', await faultsOfTimeline(page, kind === 'right'))
  say('', await faultsOfStructure(page))
  say('', await faultsOfLook(page))
  say('', await faultsOfButton(page))
  say('', await faultsOfAxe(page))
  await page.close()
  faults.push(...(await faultsOfRacePage(browser, address)), ...(await end(child)))
  return faults.map((fault) => `${source}: ${fault}`)
}

await tested(async (browser) => {
  const [stepper, ...words] = process.argv.slice(2)
  const faults = []
  for (let i = 0; i < words.length; i += 3) faults.push(...(await faultsOfProgram(browser, [stepper, ...words.slice(i, i + 3)])))
  console.log(`${words.length / 3} programs stepped through`)
  return words.length ? faults : ['no program to step through']
})
