// Small helpers to draw in SVG. Colours come from classes, so that they follow the theme.

const NAMESPACE = 'http://www.w3.org/2000/svg';

type Attributes = Record<string, string | number | undefined>;

export function element(name: string, attributes: Attributes, children: (Node | string)[] = []): SVGElement {
    const made = document.createElementNS(NAMESPACE, name);
    for (const [key, value] of Object.entries(attributes)) {
        if (value !== undefined) {
            made.setAttribute(key, String(value));
        }
    }
    made.append(...children);
    return made;
}

export function drawing(width: number, height: number, label: string, children: Node[]): SVGSVGElement {
    const size = { width, height, viewBox: `0 0 ${width} ${height}` };
    return element('svg', { ...size, role: 'img', 'aria-label': label }, children) as SVGSVGElement;
}

export function text(x: number, y: number, content: string, style: string, anchor = 'start'): SVGElement {
    return element('text', { x, y, class: style, 'text-anchor': anchor, 'dominant-baseline': 'central' }, [content]);
}

/** The colour class of a level: there are six. */
export function levelClass(level: number): string {
    return `level${level % 6}`;
}
