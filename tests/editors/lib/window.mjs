// A window of VS Code, worked as a person works it: by keys and mouse, and read from what is on the screen.
import { join } from 'node:path';
import { until } from './report.mjs';

const EDITOR = '.editor-instance';
const LINES = `${EDITOR} .view-lines .view-line`;

export class Window {
    constructor(page, pictures) {
        this.page = page;
        this.pictures = pictures;
    }

    async open(url) {
        await this.page.goto(url, { waitUntil: 'domcontentloaded' });
        await this.page.waitForSelector('.monaco-workbench .statusbar-item', { timeout: 120_000 });
    }

    async picture(name) {
        await this.page.screenshot({ path: join(this.pictures, `${name}.png`) });
    }

    /**
     * A page that is drawn late takes the keys from the list of files: then it is asked for again. The list is reached
     * through F1, since Chromium prints the page for a Control+P that the page leaves to it. A page that shows no list
     * at all is loaded anew, once, which the output tells.
     */
    async openFile(name) {
        const tab = this.page.locator(`.tab.active[data-resource-name="${name}"]`).first();
        const isThere = () => tab.waitFor({ timeout: 10_000 }).then(() => true, () => false);
        const isOpen = () => this.pick('F1', name).then(isThere, () => this.escape());
        await until(`the tab of ${name}`, isOpen, 60_000).catch(async (reason) => {
            console.log(`# loaded anew: ${reason.message}; ${await this.shown()}`);
            await this.open(this.page.url());
            await until(`the tab of ${name}`, isOpen);
        });
        await this.page.locator(LINES).first().waitFor();
    }

    /** Leaves whatever list is open. */
    async escape() {
        await this.page.keyboard.press('Escape');
        return false;
    }

    /** What takes the keys and what is open, for the message of a check that waited in vain. */
    async shown() {
        const texts = async (selector) => JSON.stringify(await this.page.locator(selector).allInnerTexts());
        return `tabs ${await texts('.tab')}, list ${await texts('.quick-input-widget')}, dialogs ${await texts('.monaco-dialog-box')}`;
    }

    /** Runs a command of the palette by its title. */
    async run(title) {
        await this.pick('F1', `>${title}`);
    }

    /** Runs a command that asks to choose from a list. */
    async choose(title, choice) {
        await this.page.keyboard.press('F1');
        const input = this.page.locator('.quick-input-widget input').first();
        await input.fill(`>${title}`);
        await this.page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first().waitFor();
        await this.page.keyboard.press('Enter');
        await this.page.locator('.quick-input-list .monaco-list-row', { hasText: choice }).first().click();
    }

    async goTo(line, column) {
        await this.page.keyboard.press('Control+G');
        const input = this.page.locator('.quick-input-widget input').first();
        await input.waitFor();
        await input.fill(`:${line}:${column}`);
        await this.page.keyboard.press('Enter');
        await until('the cursor', async () => (await this.statusBar()).includes(`Ln ${line}, Col ${column}`));
    }

    async pick(keys, text) {
        await this.page.keyboard.press(keys);
        const input = this.page.locator('.quick-input-widget input').first();
        await input.waitFor();
        await input.fill(text);
        const wanted = text.replace(/^>/, '');
        await this.page.locator('.quick-input-list .monaco-list-row', { hasText: wanted }).first().waitFor();
        await this.page.keyboard.press('Enter');
        await input.waitFor({ state: 'hidden' });
    }

    async statusBar() {
        return (await this.page.locator('.statusbar-item').allInnerTexts()).join('\n');
    }

    /** The texts of the lines on the screen, top to bottom. */
    lines() {
        return this.linesIn(LINES);
    }

    /** Those of one text of several beside each other. */
    linesOf(name) {
        return this.linesIn(`${groupOf(name)} ${LINES}`);
    }

    async linesIn(selector) {
        const found = await this.page.$$eval(selector, (lines) => lines.map((line) => [parseFloat(line.style.top), line.textContent]));
        return found.sort((one, other) => one[0] - other[0]).map(([, text]) => text.replace(/\u00a0/g, ' '));
    }

    /** Clicks the first lens with `title`. */
    async lens(title) {
        await this.page.locator('.codelens-decoration a', { hasText: new RegExp(`^${title}$`) }).first().click({ timeout: 60_000 });
    }

    /** How many lines and parts of a text the extension highlights. */
    async highlights(name) {
        return this.page.locator(`${groupOf(name)} .view-overlays [class*="ced-"]`).count();
    }

    /** What the extension writes behind the lines of a text. */
    async beside(name) {
        const behind = (parts) => parts.map((part) => getComputedStyle(part, '::after').content.replace(/^"|"$/g, ''));
        const texts = await this.page.$$eval(`${groupOf(name)} .view-lines [class*="ced-"]`, behind);
        return texts.filter((text) => text !== 'none' && text !== 'normal' && text !== '').map((text) => text.replace(/\u00a0/g, ' '));
    }

    /** The channels that the output panel shows. What is in them is written by a library that is not installed here. */
    async channels() {
        return this.page.$$eval('.part.panel select', (all) => all.map((one) => one.selectedOptions[0]?.textContent));
    }

    /** Where the first `text` of the editor is on the screen. */
    async boxOf(text) {
        return until(`"${text}" on the screen`, () => this.page.evaluate(findBox, [LINES, text]));
    }

    /** Where the squiggles of a kind ("error", "warning") are on the screen, once there is one. */
    async squiggles(kind) {
        const selector = `${EDITOR} .view-overlays .squiggly-${kind}`;
        await this.page.waitForSelector(selector, { state: 'attached', timeout: 60_000 });
        return this.page.$$eval(selector, (found) => found.map((one) => one.getBoundingClientRect().toJSON()));
    }

    async noSquiggles(kind) {
        await this.page.waitForSelector(`${EDITOR} .view-overlays .squiggly-${kind}`, { state: 'detached', timeout: 60_000 });
    }

    /** The rows of the Problems panel, each on one line of text. */
    async problems() {
        await this.run('Problems: Focus on Problems View');
        const rows = this.page.locator('.markers-panel .monaco-list-row');
        await rows.first().waitFor();
        return (await rows.allInnerTexts()).map((row) => row.replace(/\s+/g, ' ').trim());
    }

    /** The hover over the first `text`, once it holds `wanted`. */
    async hover(text, wanted) {
        const { x, y, width, height } = await this.boxOf(text);
        const shown = this.page.locator('.monaco-hover:not(.hidden) .monaco-hover-content');
        let last = '';
        return until(`a hover with "${wanted}" over "${text}"`, async () => {
            // A hover that came before the server was ready is not asked for again until the mouse has been away.
            await this.page.mouse.move(x + 400, y + 200);
            await this.page.waitForTimeout(500);
            await this.page.mouse.move(x + Math.min(width / 2, 8), y + height / 2, { steps: 4 });
            await shown.first().waitFor({ timeout: 3000 }).catch(() => {});
            await this.page.waitForTimeout(300);
            last = (await shown.allInnerTexts()).join('\n');
            return last.includes(wanted) && last;
        }).catch((reason) => {
            throw new Error(`${reason.message}; the last hover was "${last}"`);
        });
    }

    /** Opens the list of quick fixes at the cursor and takes the one with `title`. */
    async quickFix(title, picture) {
        const rows = this.page.locator('.action-widget .monaco-list-row.action');
        await until('the list of quick fixes', async () => {
            await this.page.keyboard.press('Control+.');
            return rows.first().waitFor({ timeout: 5000 }).then(() => true, () => false);
        });
        await this.picture(picture);
        const focused = this.page.locator('.action-widget .monaco-list-row.action.focused');
        await until(`the quick fix ${title}`, async () => {
            const chosen = (await focused.innerText()).includes(title);
            await this.page.keyboard.press(chosen ? 'Enter' : 'ArrowDown');
            return chosen;
        }, 10_000);
    }

    /** The labels of the suggestions at the cursor. */
    async suggestions() {
        await this.page.keyboard.press('Control+Space');
        const rows = this.page.locator('.suggest-widget.visible .monaco-list-row .label-name');
        await rows.first().waitFor();
        return rows.allInnerTexts();
    }

    /** The texts in the notification centre. */
    async notifications() {
        await this.run('Notifications: Show Notifications');
        const messages = this.page.locator('.notifications-center .notification-list-item-message');
        await messages.first().waitFor();
        return messages.allInnerTexts();
    }

    /** The item of the extension in the status bar: { label, icons }. */
    async statusItem(text) {
        const item = this.page.locator('.statusbar-item', { hasText: new RegExp(`^\\s*${text}\\s*$`) }).first();
        const icons = await item.locator('.codicon').evaluateAll((all) => all.map((one) => one.className));
        return { visible: await item.isVisible(), icons: icons.join(' ') };
    }
}

/** The group of editors that shows a text. */
function groupOf(name) {
    return `.editor-group-container:has(.tab.active[data-resource-name="${name}"])`;
}

/** Runs inside the page. */
function findBox([selector, text]) {
    for (const line of document.querySelectorAll(selector)) {
        const at = line.textContent.replace(/\u00a0/g, ' ').indexOf(text);
        if (at < 0) {
            continue;
        }
        const range = document.createRange();
        const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
        let passed = 0;
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            const end = passed + node.data.length;
            if (passed <= at && at < end) {
                range.setStart(node, at - passed);
            }
            if (passed < at + text.length && at + text.length <= end) {
                range.setEnd(node, at + text.length - passed);
                return range.getBoundingClientRect().toJSON();
            }
            passed = end;
        }
    }
    return null;
}
