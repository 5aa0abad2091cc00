// A large matrix as points, with zoom: the wheel or + and -, dragging or the arrow keys, 0 for the whole.
import type { Sheet } from './model';

interface Window_ {
    row: number;
    column: number;
    /** Elements across and down. */
    span: number;
}

export class Spy {
    readonly canvas = document.createElement('canvas');
    private shown: Window_;

    constructor(
        private readonly sheet: Sheet,
        private readonly onMove: (text: string) => void,
    ) {
        this.canvas.tabIndex = 0;
        this.canvas.className = 'spy';
        [this.canvas.width, this.canvas.height] = [420, 420];
        this.canvas.setAttribute('role', 'img');
        this.canvas.setAttribute('aria-label', `where ${sheet.name} has entries`);
        this.shown = this.whole();
        this.listen();
    }

    private whole(): Window_ {
        return { row: 0, column: 0, span: Math.max(...this.sheet.shape) };
    }

    private listen(): void {
        this.canvas.addEventListener('wheel', (event) => {
            event.preventDefault();
            this.zoom(event.deltaY < 0 ? 0.8 : 1.25, event.offsetX / this.canvas.clientWidth, event.offsetY / this.canvas.clientHeight);
        });
        this.canvas.addEventListener('pointermove', (event) => {
            if (event.buttons === 1) {
                const unit = this.shown.span / this.canvas.clientWidth;
                this.move(-event.movementY * unit, -event.movementX * unit);
            }
        });
        this.canvas.addEventListener('keydown', (event) => this.key(event));
    }

    private key(event: KeyboardEvent): void {
        const part = this.shown.span / 8;
        const does: Record<string, () => void> = {
            '+': () => this.zoom(0.8, 0.5, 0.5),
            '=': () => this.zoom(0.8, 0.5, 0.5),
            '-': () => this.zoom(1.25, 0.5, 0.5),
            '0': () => this.show(this.whole()),
            ArrowLeft: () => this.move(0, -part),
            ArrowRight: () => this.move(0, part),
            ArrowUp: () => this.move(-part, 0),
            ArrowDown: () => this.move(part, 0),
        };
        if (does[event.key]) {
            event.preventDefault();
            event.stopPropagation();
            does[event.key]();
        }
    }

    /** Keeps what is at that part of the window where it is. */
    private zoom(by: number, across: number, down: number): void {
        const { row, column, span } = this.shown;
        const next = Math.min(Math.max(span * by, 8), Math.max(...this.sheet.shape));
        this.show({ row: row + (span - next) * down, column: column + (span - next) * across, span: next });
    }

    private move(rows: number, columns: number): void {
        this.show({ ...this.shown, row: this.shown.row + rows, column: this.shown.column + columns });
    }

    private show(wanted: Window_): void {
        const within = (at: number, size: number) => Math.min(Math.max(at, 0), Math.max(size - wanted.span, 0));
        const [rows, columns] = this.sheet.shape;
        this.shown = { ...wanted, row: within(wanted.row, rows), column: within(wanted.column, columns) };
        this.draw();
    }

    /** Draws in the colours of the theme, which are known once the canvas is on the page. */
    draw(): void {
        const context = this.canvas.getContext('2d');
        const points = this.sheet.points;
        if (!context || !points) {
            return;
        }
        const { row, column, span } = this.shown;
        const unit = this.canvas.width / span;
        context.clearRect(0, 0, this.canvas.width, this.canvas.height);
        context.fillStyle = getComputedStyle(this.canvas).color;
        const side = Math.max(1, Math.min(unit, 24) - (unit > 4 ? 1 : 0));
        points.rows.forEach((at, index) => {
            const [x, y] = [(points.columns[index] - column) * unit, (at - row) * unit];
            if (x >= -side && y >= -side && x < this.canvas.width && y < this.canvas.height) {
                context.fillRect(x, y, side, side);
            }
        });
        this.onMove(this.caption());
    }

    private caption(): string {
        const { row, column, span } = this.shown;
        const [rows, columns] = this.sheet.shape;
        const range = (from: number, size: number) => `${Math.floor(from)} to ${Math.min(Math.ceil(from + span), size) - 1}`;
        const sampled = this.sheet.points && this.sheet.points.seen < this.sheet.nse ? `, a sample of ${this.sheet.points.seen} of ${this.sheet.nse} entries` : '';
        return `rows ${range(row, rows)}, columns ${range(column, columns)}${sampled}`;
    }
}
