// Tests each deck in a browser without a network: node slides/tests/open.mjs DECK.html...
// The test is first run on a deck with each kind of fault, and fails if it does not find them.

import { tested } from './browser.mjs'
import { faultsOfDeck } from './deck.mjs'

const broken = 'slides/tests/broken.html'
const expected = [
  'asks for https://example.invalid/a.css',
  'cannot load file:',
  'console: a complaint',
  'script: thrown',
  '5 slides; a deck has 12 to 25',
  'slide 1: pre "long code" sticks out at the right by 92',
  'slide 1: pre "+---+ boxes" is drawn with characters',
  'slide 1: p "fine print" is 12 px high',
  'slide 1: p "pale" hardly stands out: 2.8',
  'slide 1: has no notes for the presenter',
  'slide 1: figure "gone" does not load',
  'slide 1: figure "gone" is not inside the file',
  'slide 1: a figure has no words for those who cannot see it',
  'slide 2: p "low" sticks out at the bottom by 20 px',
  'slide 2: pre "wide": its lines are',
  'slide 3: figure "tiny" takes less than a tenth of the slide',
  'slide 3: figure "hard to read": "tiny letters" is 9 px high',
  'slide 3: figure "hard to read": "dark on dark" hardly stands out',
  'slide 4: ends at ',
  'link "gone": ',
  'link "away": https://example.invalid/ needs a network',
  'link "nowhere": nothing here is called #nowhere',
  'has other colours in the dark',
  'sticks out at 390 px',
  'has no buttons at 390 px',
  'has no PDF beside it',
]

async function faultsOfTheTest(browser) {
  const found = await faultsOfDeck(browser, broken)
  const faults = expected
    .filter((text) => !found.some((fault) => fault.startsWith(`${broken}: ${text}`)))
    .map((text) => `${broken}: not seen: ${text}`)
  const innocent = found.filter((fault) => fault.includes('slide 5'))
  return [...faults, ...innocent.map((fault) => `seen where nothing is wrong: ${fault}`)]
}

await tested(async (browser) => {
  const faults = await faultsOfTheTest(browser)
  const decks = process.argv.slice(2)
  if (!decks.length) faults.push('no deck to open')
  for (const deck of decks) faults.push(...(await faultsOfDeck(browser, deck)))
  console.log(`${decks.length} decks opened`)
  return faults
})
