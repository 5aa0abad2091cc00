// The loops of a kernel, one step at a time: the line, the variables, the entries that it reads and stores.
import { marksOfStep, variablesAt, type Marks, type Sheet, type Steps } from './model';

interface Shown {
    reads: (sheet: Sheet) => Marks;
    stores: (sheet: Sheet) => Marks;
}

export class Stepper {
    readonly view = document.createElement('section');
    private readonly lines: HTMLElement[];
    private readonly code = document.createElement('pre');
    private readonly slider = document.createElement('input');
    private readonly count = document.createElement('span');
    private readonly values = document.createElement('pre');
    private at = 0;

    constructor(
        private readonly run: Steps,
        private readonly onStep: (shown: Shown) => void,
    ) {
        this.view.className = 'steps';
        this.lines = run.loops.map((text) => this.line(text));
        this.code.className = 'loops';
        this.code.append(...this.lines);
        this.values.className = 'values';
        const beside = document.createElement('div');
        beside.className = 'beside';
        beside.append(this.code, this.values);
        this.view.append(this.controls(), beside);
    }

    private line(text: string): HTMLElement {
        const line = document.createElement('div');
        line.textContent = text || ' ';
        return line;
    }

    private controls(): HTMLElement {
        const bar = document.createElement('div');
        bar.className = 'controls';
        const moves: [string, string, () => void][] = [
            ['|◀', 'the first step', () => this.go(0)],
            ['◀', 'a step back (,)', () => this.move(-1)],
            ['▶', 'a step on (.)', () => this.move(1)],
            ['▶|', 'the last step', () => this.go(this.run.steps.length - 1)],
        ];
        for (const [label, title, act] of moves) {
            const button = document.createElement('button');
            [button.textContent, button.title] = [label, title];
            button.addEventListener('click', act);
            bar.append(button);
        }
        Object.assign(this.slider, { type: 'range', min: '0', max: String(this.run.steps.length - 1), title: 'the step' });
        this.slider.addEventListener('input', () => this.go(Number(this.slider.value)));
        bar.append(this.slider, this.count);
        return bar;
    }

    move(by: number): void {
        this.go(this.at + by);
    }

    go(at: number): void {
        this.at = Math.min(Math.max(at, 0), this.run.steps.length - 1);
        this.show();
    }

    show(): void {
        const step = this.run.steps[this.at];
        this.lines.forEach((line, at) => line.classList.toggle('current', at === step.line));
        this.reveal(this.lines[step.line]);
        this.slider.value = String(this.at);
        this.count.textContent = `step ${this.at + 1} of ${this.run.steps.length}${this.run.all ? '' : ' or more'}`;
        this.values.textContent = this.told();
        this.onStep({ reads: (sheet) => marksOfStep(sheet, step, 'read'), stores: (sheet) => marksOfStep(sheet, step, 'store') });
    }

    /** Scrolls the loops, and not the page. */
    private reveal(line: HTMLElement | undefined): void {
        if (line) {
            const [top, room] = [line.offsetTop - this.code.offsetTop, this.code.clientHeight - line.offsetHeight];
            this.code.scrollTop = Math.min(Math.max(this.code.scrollTop, top - room), top);
        }
    }

    /** What the step touches, then all variables. */
    private told(): string {
        const step = this.run.steps[this.at];
        const touched = step.touched.map(({ array, at, how, value }) => `${array}[${at}] ${how === 'read' ? '→' : '←'} ${value}`);
        const now = new Set(step.set.map(([name]) => name));
        const variables = [...variablesAt(this.run.steps, this.at)].map(([name, value]) => `${now.has(name) ? '•' : ' '} ${name} = ${value}`);
        return [...touched, ...(touched.length > 0 ? [''] : []), ...variables].join('\n');
    }
}
