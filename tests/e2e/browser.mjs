// SPDX-License-Identifier: GPL-3.0-or-later
// browser.mjs PAGE CHROMIUM PLAYWRIGHT PDF: looks at a report in a real browser; TAP-like lines.
import { createRequire } from 'node:module';
import { statSync } from 'node:fs';
const [page_path, executablePath, playwright, pdf] = process.argv.slice(2);
const { chromium } = createRequire(import.meta.url)(playwright);
let failed = 0;
const check = (name, good, detail = '') => {
	console.log(`${good ? 'ok' : 'not ok'} ${name}${good ? '' : ': ' + detail}`);
	failed += !good;
};
// In the page: what is to be known of it.
const look = () => {
	const visible = e => { const r = e.getBoundingClientRect(); return r.width > 50 && r.height > 50; };
	const figures = [...document.querySelectorAll('figure')];
	const rgb = s => s.match(/[\d.]+/g).slice(0, 3).map(Number);
	const light = s => rgb(s).map(v => (v /= 255, v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
		.reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
	const paper = getComputedStyle(document.body).backgroundColor;
	const contrast = s => { const [a, b] = [light(s), light(paper)].sort((x, y) => y - x); return (a + 0.05) / (b + 0.05); };
	const words = [...document.querySelectorAll('p, h1, h2, h3, li, td, th, figcaption, summary, .state, .mark')];
	const drawn = [...document.querySelectorAll('figure svg')].filter(visible).flatMap(s => [...s.querySelectorAll('text')]);
	const box = e => e.getBoundingClientRect();
	const clipped = drawn.filter(e => { const t = box(e), s = box(e.closest('svg')); return t.width && (t.left < s.left - 1 || t.right > s.right + 1 || t.top < s.top - 1 || t.bottom > s.bottom + 1); });
	const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
	return {
		figures: figures.length, seen: figures.filter(f => [...f.querySelectorAll('svg')].some(visible)).length,
		overflow: document.documentElement.scrollWidth - innerWidth, paper,
		least: Math.min(...words.map(e => contrast(getComputedStyle(e).color))),
		ink: Math.min(...drawn.map(e => getComputedStyle(e).fill).filter(c => c !== paper).map(contrast)),
		clipped: clipped.map(e => e.textContent),
		ids: ids.length - new Set(ids).size,
		outside: [...document.querySelectorAll('script, link, iframe, object, img, [src]')].length,
		text: document.body.innerText.length,
	};
};
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-quic',
	'--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'] });
const papers = new Set();
for (const width of [390, 1280])
	for (const colorScheme of ['light', 'dark']) {
		const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
		const page = await context.newPage(), said = [], asked = [];
		page.on('console', m => said.push(m.text()));
		page.on('pageerror', e => said.push(String(e)));
		page.on('request', r => asked.push(r.url()));
		await page.goto('file://' + page_path);
		const where = `${width} px, ${colorScheme}`, closed = await page.evaluate(look);
		for (const row of await page.$$('details')) await row.$eval('summary', s => s.click());
		const shut = await page.$$eval('details', all => all.filter(d => !d.open ||
			[...d.children].slice(1).every(c => !c.getBoundingClientRect().height)).length);
		const rows = await page.$$eval('details.row', all => all.length), open = await page.evaluate(look);
		check(`no message, no request, nothing foreign (${where})`, !said.length && asked.length === 1 && !open.outside,
			JSON.stringify([said, asked.slice(1), open.outside]));
		check(`every figure is seen (${where})`, closed.figures >= 5 && closed.seen === closed.figures, JSON.stringify(closed));
		check(`no word of a picture is cut off (${where})`, closed.clipped.length === 0, JSON.stringify(closed.clipped));
		check(`every row opens (${where})`, rows > 20 && shut === 0 && open.text > closed.text, `${rows} rows, ${shut} shut`);
		check(`nothing is wider than the window (${where})`, closed.overflow <= 0 && open.overflow <= 0, `${open.overflow} px`);
		check(`contrast (${where})`, open.least >= 4.5 && open.ink >= 4.5, `${open.least} and ${open.ink}`);
		check(`ids are unique (${where})`, open.ids === 0, `${open.ids} twice`);
		papers.add(open.paper);
		if (width === 1280 && colorScheme === 'dark') {
			await page.pdf({ path: pdf });
			check('it prints', statSync(pdf).size > 20000);
		}
		await context.close();
	}
check('dark is not light', papers.size === 2, [...papers].join(' '));
await browser.close();
process.exit(failed ? 1 : 0);
