// The pictures as one file: SVG with its colours written out, or PNG.
import { element } from './svg';

const STYLES = ['fill', 'stroke', 'stroke-width', 'opacity', 'font-family', 'font-size', 'font-weight'];

/** A copy that needs no style sheet. */
function plain(drawn: SVGSVGElement): SVGSVGElement {
    const copy = drawn.cloneNode(true) as SVGSVGElement;
    const copies = [...copy.querySelectorAll<SVGElement>('*')];
    [...drawn.querySelectorAll<SVGElement>('*')].forEach((original, at) => {
        const style = getComputedStyle(original);
        STYLES.forEach((name) => copies[at].setAttribute(name, style.getPropertyValue(name)));
    });
    return copy;
}

/** The pictures one below another, on the ground of the page. */
export function svgOf(drawings: SVGSVGElement[]): { text: string; width: number; height: number } {
    const width = Math.max(...drawings.map((it) => it.width.baseVal.value)) + 16;
    let y = 8;
    const placed = drawings.map((drawn) => {
        const copy = plain(drawn);
        copy.setAttribute('x', '8');
        copy.setAttribute('y', String(y));
        y += drawn.height.baseVal.value + 12;
        return copy;
    });
    const ground = element('rect', { width, height: y, fill: getComputedStyle(document.body).backgroundColor });
    const whole = element('svg', { xmlns: 'http://www.w3.org/2000/svg', width, height: y, viewBox: `0 0 ${width} ${y}` }, [ground, ...placed]);
    return { text: new XMLSerializer().serializeToString(whole), width, height: y };
}

/** In base 64, twice as fine as the screen. */
export async function pngOf(drawings: SVGSVGElement[]): Promise<string> {
    const { text, width, height } = svgOf(drawings);
    const image = new Image();
    image.src = `data:image/svg+xml;base64,${btoa(String.fromCharCode(...new TextEncoder().encode(text)))}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [2 * width, 2 * height];
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return base64Of(canvas);
}

export function base64Of(canvas: HTMLCanvasElement): string {
    return canvas.toDataURL('image/png').split(',')[1];
}
